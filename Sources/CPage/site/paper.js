// On paper everything is light and as wide as a sheet. That is so before charts and maps, which
// listen to the same events later, measure themselves and paint once more.

export const paperEvents = ["beforeprint", "afterprint"];

/** Whether the page is laid out for paper just now. */
export const isPaper = () => document.documentElement.classList.contains("paper");

/** Once, at the start. */
export function installPaper() {
    const root = document.documentElement;
    let theme;
    addEventListener("beforeprint", () => {
        theme = root.dataset.theme;
        root.dataset.theme = "light";
        root.classList.add("paper");
    });
    addEventListener("afterprint", () => {
        root.classList.remove("paper");
        if (theme === undefined) delete root.dataset.theme;
        else root.dataset.theme = theme;
    });
}
