/// The page: it lays out what it is told.
enum Site {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Walkers</title>
        <link rel="stylesheet" href="page.css">
        <main>
        <h1>Walkers</h1>
        <p id="sum" class="quiet" role="status">Looking…</p>
        <table>
        <thead><tr><th scope="col">Who<th scope="col">Now<th scope="col">Steps<th scope="col">BPM
        <th scope="col">Last heard<th scope="col">Battery<th scope="col">Set aside</thead>
        <tbody id="rows"></tbody>
        </table>
        <section id="walker" hidden tabindex="-1">
        <h2 id="who"></h2>
        <p id="said" role="status"></p>
        <div id="day">
        <svg viewBox="0 0 720 200" role="img" preserveAspectRatio="none"><path/></svg>
        <p class="quiet"><span>0:00</span><span id="end"></span></p>
        <p id="certificate"></p>
        </div>
        <p id="vouched" class="note"></p>
        <button id="back">All walkers</button>
        </section>
        </main>
        <script type="module" src="page.js"></script>
        </html>

        """

    static let style = """
        main { max-width: 60rem; margin: 0 auto; padding: var(--s-6) var(--s-4); }
        table { width: 100%; border-collapse: collapse; margin-top: var(--s-4); }
        th, td { text-align: right; padding: var(--s-2); border-bottom: 1px solid var(--line); }
        th { color: var(--ink-3); font-size: var(--t-small); font-weight: 500; }
        th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }
        td a { font-weight: 600; text-decoration: none; }
        .late { color: var(--caution); }
        .aside { color: var(--fault); }
        section { margin-top: var(--s-6); display: grid; gap: var(--s-2); justify-items: start; }
        section:focus { outline: none; }
        #day { width: 100%; }
        svg { width: 100%; background: var(--surface); border-radius: var(--r-card); }
        svg + p { display: flex; justify-content: space-between; }
        path {
            fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke;
        }
        button {
            min-height: var(--hit); padding: 0 var(--s-4); margin-top: var(--s-4);
            border: 1px solid var(--line-strong); border-radius: var(--r-pill);
            background: var(--surface);
        }
        @media (max-width: 40rem) { th:nth-child(n+6), td:nth-child(n+6) { display: none; } }

        """

    static let script = """
        const $ = id => document.getElementById(id)
        const words = { atRest: 'at rest', walking: 'walking', paused: 'paused' }
        const count = n => n === null ? '' : n.toLocaleString('en')
        let shown = null

        function ago(milliseconds) {
            const s = Math.max(0, Math.round((Date.now() - milliseconds) / 1000))
            return s < 60 ? `${s} s ago` : s < 3600 ? `${Math.floor(s / 60)} min ago`
                : new Date(milliseconds).toLocaleString('en-GB',
                    { dateStyle: 'medium', timeStyle: 'short' })
        }

        const isSilent = w => w.activity !== 'atRest'
            && Date.now() - w.lastHeardMilliseconds > 60000

        function cell(row, text, name = '') {
            const td = row.insertCell()
            td.textContent = text
            td.className = name
            return td
        }

        function draw(walkers) {
            const rows = document.createDocumentFragment()
            for (const w of walkers) {
                const row = document.createElement('tr')
                const link = document.createElement('a')
                link.textContent = w.person
                link.href = `#${w.person}/${w.log}`
                cell(row, '').append(link)
                const isLate = isSilent(w)
                cell(row, isLate ? 'not heard' : words[w.activity], isLate ? 'late' : '')
                cell(row, count(w.steps))
                cell(row, isLate ? '' : count(w.heartRateBPM))
                cell(row, ago(w.lastHeardMilliseconds))
                cell(row, w.batteryPercent === null ? '' : `${w.batteryPercent}%`)
                cell(row, count(w.setAside || null), 'aside')
                rows.append(row)
            }
            const focused = document.activeElement?.getAttribute('href')
            $('rows').replaceChildren(rows)
            if (focused) document.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
            const walking = walkers
                .filter(w => w.activity === 'walking' && !isSilent(w)).length
            $('sum').textContent = walkers.length
                ? `${walking} of ${walkers.length} are walking.` : 'Nobody has sent anything yet.'
        }

        async function ask(path) {
            const answer = await fetch(path)
            const json = await answer.json()
            if (!answer.ok) throw new Error(json.error)
            return json
        }

        async function look() {
            try {
                draw(await ask('walkers'))
            } catch (error) {
                $('sum').textContent = `Not reached: ${error.message}`
            }
            setTimeout(look, 1000)
        }

        function drawDay({ chart, certificate }) {
            const y = n => 190 - 180 * n / chart.top
            const path = chart.points
                .map(({ at, shown: n }) => `H${720 * at / chart.end}V${y(n)}`).join('')
            document.querySelector('path').setAttribute('d', `M0 ${y(0)}${path}`)
            document.querySelector('svg').setAttribute('aria-label', chart.label)
            $('end').textContent = chart.hours.at(-1).label
            $('certificate').textContent = `${certificate.title}: ${certificate.sentence}`
            $('day').hidden = false
        }

        async function show() {
            const name = location.hash.slice(1)
            $('walker').hidden = !name
            shown = name
            if (!name) return
            $('who').textContent = name.split('/')[0]
            $('said').textContent = 'Reading the log…'
            $('vouched').textContent = ''
            $('day').hidden = true
            try {
                const w = await ask(`walkers/${name}`)
                if (shown !== name) return
                $('said').textContent = w.day
                    ? `${w.day.title}: ${w.day.count} steps.`
                    : 'No steps were counted.'
                if (w.day?.chart) drawDay(w.day)
                $('vouched').textContent = w.vouched
                $('vouched').className = w.isSound ? 'note' : 'aside'
                $('walker').focus()
            } catch (error) {
                $('said').textContent = error.message
            }
        }

        $('back').onclick = () => { location.hash = '' }
        addEventListener('hashchange', show)
        look()
        show()

        """
}
