/// Where a map for the page comes from, on one page of a terminal.
package enum MapGuide {
    /// Its lines, of at most 80 columns.
    package static let lines = """
        A map for the page is an MBTiles file of pictures: PNG, JPEG or WebP. Pulselog
        downloads none. Many MBTiles files hold vectors (pbf), which the page cannot
        draw, so you will probably make your own.

        From the maps of a survey (apt-get install gdal-bin). Free as TIFF are, say,
        Swiss Map Raster by swisstopo, and OS VectorMap District for Great Britain:
          gdalbuildvrt all.vrt *.tif
          gdal_translate -of MBTILES -co TILE_FORMAT=JPEG all.vrt walks.mbtiles
          gdaladdo -r average walks.mbtiles 2 4 8 16 32

        From whatever QGIS draws (apt-get install qgis), such as OpenStreetMap data or
        vector tiles: Processing, Toolbox, "Generate XYZ tiles (MBTiles)", to zoom 16.
        From a map on the web only if its terms allow it: tile.openstreetmap.org forbids
        it, while the maps of basemap.at (Austria) are under CC BY 4.0.

        Neither program writes who made the map, as most licences want it to be shown:
          sqlite3 walks.mbtiles "INSERT INTO metadata VALUES ('attribution', '...')"

        Check a file, and serve it; of several, the first that has a tile gives it:
          pulselog map walks.mbtiles
          pulselog serve --tiles walks.mbtiles --tiles country.mbtiles
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
