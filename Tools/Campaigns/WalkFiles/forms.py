"""Made-up files of walks, one function a format; a format that is added to FORMATS is damaged as well."""
import datetime

BEGAN = datetime.datetime(2026, 3, 1, 9)


def points(rng, count=None):
    """Seconds, latitude, longitude, height, heart rate and distance of a walk."""
    distance, rate = 0.0, rng.randrange(70, 130)
    for second in range(count or rng.randrange(20, 120)):
        distance += 1.4
        rate = max(60, min(170, rate + rng.randrange(-2, 3)))
        yield second, 48.1 + distance / 111_320, 11.5, 500 + second / 10, rate, distance


def time(second):
    return (BEGAN + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")


def gpx(rng):
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="a"'
        ' xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx='
        '"http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><trkseg>\n')
    for second, latitude, longitude, height, rate, _ in points(rng):
        if second == 10:
            text += "</trkseg><trkseg>\n"
        text += (
            f'<trkpt lat="{latitude:.7f}" lon="{longitude:.7f}"><ele>{height}</ele><time>{time(second)}</time>'
            f"<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>{rate}</gpxtpx:hr><gpxtpx:cad>56</gpxtpx:cad>"
            "</gpxtpx:TrackPointExtension></extensions></trkpt>\n")
    return (text + "</trkseg></trk></gpx>\n").encode()


def tcx(rng):
    text = (
        '<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/'
        'TrainingCenterDatabase/v2"><Activities><Activity Sport="Other"><Id>a</Id>'
        f'<Lap StartTime="{time(0)}"><TotalTimeSeconds>60</TotalTimeSeconds><Track>\n')
    for second, latitude, longitude, height, rate, distance in points(rng):
        text += (
            f"<Trackpoint><Time>{time(second)}</Time><Position><LatitudeDegrees>{latitude:.7f}</LatitudeDegrees>"
            f"<LongitudeDegrees>{longitude:.7f}</LongitudeDegrees></Position><AltitudeMeters>{height}</AltitudeMeters>"
            f"<DistanceMeters>{distance:.2f}</DistanceMeters><HeartRateBpm><Value>{rate}</Value></HeartRateBpm>"
            "</Trackpoint>\n")
    return (text + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>\n").encode()


def csv(rng):
    text = "time,elapsed_s,bpm,rr_ms,latitude_deg,longitude_deg,altitude_m,distance_m,steps,cadence_spm,state\r\n"
    for second, latitude, longitude, height, rate, distance in points(rng):
        text += (
            f'{time(second)},{second},{rate},"{60_000 // rate}",{latitude:.7f},{longitude:.7f},{height},'
            f"{distance:.2f},{second * 2},112,walking\r\n")
    return text.encode()


def polar(rng):
    text = "Name,Sport,Date,Start time,Duration\nA,Walking,01-03-2026,09:00:00,00:01:00\n"
    text += "Sample rate,Time,HR (bpm),Speed (km/h),Distances (m)\n"
    for second, *_, rate, distance in points(rng):
        text += f"1,00:{second // 60:02}:{second % 60:02},{rate},5,{distance:.1f}\n"
    return text.encode()


def rr(rng):
    return "".join(f"{60_000 // rate}\n" for *_, rate, _ in points(rng)).encode()


FORMATS = {"gpx": gpx, "tcx": tcx, "csv": csv, "polar": polar, "rr": rr}
