"""The page comes in few requests, and only once."""

from pages import PageTest


class FewRequests(PageTest):
    """A second load gets nothing but the page's own tag and what the API answers."""

    past = "track"

    def test_load(self):
        page, sizes = self.open(), {}
        page.on("requestfinished", lambda request: sizes.update(
            {request.url: request.sizes()["responseBodySize"]}))
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        # Tags alone the second time: what is kept has no size, or less than none without a head.
        for most_bytes in (260_000, 200):
            sizes.clear()
            with page.expect_event("requestfinished", lambda one: "/outline" in one.url):
                self.load(page, page.reload)
            self.assertLessEqual(len([url for url in sizes if "/api/" not in url]), 8, sizes)
            self.assertLess(sum(max(0, size) for size in sizes.values()), most_bytes, sizes)
