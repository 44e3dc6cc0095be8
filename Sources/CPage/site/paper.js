// On paper everything is light and as wide as a sheet. That is so before maps, which listen to the
// same events later, measure themselves, and before charts are asked to.

export const paperEvents = ["beforeprint", "afterprint"];

/** Once, at the start. */
export function installPaper() {
    const root = document.documentElement;
    let theme;
    const fit = () => document.querySelectorAll(".plot")
        .forEach((plot) => plot.dispatchEvent(new Event("fit")));
    addEventListener("beforeprint", () => {
        theme = root.dataset.theme;
        root.dataset.theme = "light";
        root.classList.add("paper");
        fit();
    });
    addEventListener("afterprint", () => {
        root.classList.remove("paper");
        if (theme === undefined) delete root.dataset.theme;
        else root.dataset.theme = theme;
        fit();
    });
}
