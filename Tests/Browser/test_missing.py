"""The page on a machine without the library that draws maps."""

from playwright.sync_api import expect

from pages import PageTest


class WithoutALibrary(PageTest):
    """It opens, says what is missing, and shows all that needs no drawing."""

    past = "track"

    def open(self, *arguments, **options):
        self.tolerated.append("404")
        return super().open(*arguments, **options)

    def watch(self, page):
        page.route("**/leaflet/**", lambda route: route.fulfill(status=404))

    def test_opens(self):
        page = self.open("#/walk")
        expect(page.locator(".map")).to_contain_text("sudo apt install libjs-leaflet")
        expect(page.get_by_role("button", name="Start", exact=False).first).to_be_visible()
        self.go(page, "#/history/2026")
        page.locator("main a[href^='#/walks/']").first.click()
        expect(page.locator(".map")).to_contain_text("sudo apt install libjs-leaflet")
        expect(page.locator(".plot .line").first).to_be_attached()
        self.look_around(page, "no map")
