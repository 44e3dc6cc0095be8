"""What a walker says of a walk is edited where it stands: Enter, or leaving the field, saves, Escape
takes back; hiding acts at once and can be taken back."""

from playwright.sync_api import expect

from pages import DESK, PHONE, SMALL, PageTest, press_button
from scenarios import MARKUP


class SaidOfAWalk(PageTest):
    """A walk of which nothing was said yet."""

    past = "track"
    seconds = 30

    def kept(self, *names):
        session = self.program.ask(f"/api/sessions/{self.walk}")
        return [session[name] for name in names]

    def said(self):
        return len(self.program.events("sessionDescribed"))

    def test_by_keyboard(self):
        page = self.open_walk()
        title = page.locator(".who h1")
        date = title.inner_text()
        press_button(page, "Add a name")
        page.keyboard.type("Park loop")
        page.keyboard.press("Enter")
        expect(title).to_have_text("Park loop")
        expect(page).to_have_title("Park loop · Pulselog")
        expect(page.locator(".who")).to_contain_text(f"{date} to 10:")
        change = page.get_by_role("button", name="Change the name")
        expect(change).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_label("Name", exact=True)).to_have_value("Park loop")
        page.keyboard.type("Lake")
        page.keyboard.press("Escape")
        expect(title).to_have_text("Park loop")
        expect(change).to_be_focused()
        self.assertEqual((self.kept("name"), self.said()), (["Park loop"], 1))
        # What was not changed is not said again.
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        expect(change).to_be_focused()
        press_button(page, "Add a tag")
        page.keyboard.type("dog, park")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Add a tag")).to_be_focused()
        # Tags are taken away where they are written; elsewhere they are only read.
        remove = page.get_by_role("button", name="Remove the tag park")
        expect(remove).to_be_hidden()
        page.keyboard.press("Enter")
        page.keyboard.press("Shift+Tab")
        expect(remove).to_be_focused()
        page.get_by_label("Tag", exact=True).focus()
        page.keyboard.press("Escape")
        expect(remove).to_be_hidden()
        page.get_by_label("Sport").focus()
        with page.expect_response("**/api/commands"):
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Tab")
        expect(page.locator(".sport select")).to_have_value("hike")
        self.assertEqual(self.kept("tags", "sport"), [["dog", "park"], "hike"])
        self.assertEqual(self.said(), 3)

    def test_leaving_saves(self):
        page = self.open_walk(PHONE)
        page.get_by_role("button", name="Add a note").click()
        page.keyboard.type(MARKUP)
        page.locator(".lead").click()
        expect(page.locator(".memo")).to_have_text(MARKUP)
        page.get_by_role("button", name="Add a place").click()
        page.keyboard.type("Grunewald")
        page.locator(".lead").click()
        expect(page.locator(".where")).to_have_text("Grunewald")
        page.get_by_role("button", name="Change the place").click()
        page.get_by_label("Place", exact=True).fill("")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Add a place")).to_be_focused()
        self.assertEqual(self.kept("note", "place"), [MARKUP, None])

    def test_limited(self):
        page = self.open_walk()
        page.get_by_role("button", name="Add a name").click()
        page.keyboard.insert_text("ä" * 100)
        # The log takes 128 bytes of a name, and so does its field.
        expect(page.get_by_label("Name", exact=True)).to_have_value("ä" * 64)
        page.keyboard.press("Enter")
        expect(page.locator(".who h1")).to_have_text("ä" * 64)
        self.assertEqual(self.kept("name"), ["ä" * 64])

    def test_hidden(self):
        for size, dark in ((PHONE, True), (DESK, False)):
            page = self.open_walk(size, dark)
            page.get_by_role("button", name="Hide this walk").click()
            again = page.get_by_role("button", name="Show again")
            expect(again).to_be_focused()
            expect(page.locator(".told")).to_contain_text("The log keeps it")
            self.assertEqual(self.kept("hidden"), [True])
            self.look(page, f"hidden at {size[0]}")
            page.keyboard.press("Enter")
            expect(page.locator(".told")).to_have_count(0)
            self.assertEqual(self.kept("hidden"), [False])

    def test_looks(self):
        self.program.command(
            "describe", session=self.walk, name="Round the lake and back again by the short way",
            place="Grunewald", note="Ice on the pond until the bridge.", tags=["dog", "park"])
        for size, dark in ((PHONE, True), (DESK, False), (SMALL, False)):
            page = self.open_walk(size, dark)
            self.look(page, f"described at {size[0]}")
            for name in "Change the name", "Add a tag", "Change the note":
                page.get_by_role("button", name=name).click()
                self.look(page, f"{name} at {size[0]}")
                page.keyboard.press("Escape")
