import type { Figure, Measured, Outcome, Size } from './measurement.ts';
import { measurements } from './measurements.ts';

const words = { met: 'met    ', 'not met': 'NOT MET', drifted: 'drifted' } as const;

/** A line for each figure, then one that counts them. */
export function printedResults(outcomes: readonly Outcome[], size: Size): readonly string[] {
	const unmeasured = outcomes.filter((outcome) => outcome.kind !== 'measured');
	const figures = figuresOf(outcomes);
	const judged = size === 'full' ? figures.map(printedFigure) : [];
	const reasons = unmeasured.map(({ kind, name, reason }) => `${kind.padEnd(7)} ${name}: ${reason}`);
	// Of a long output the end is shown for sure.
	const shortReasons = (['broken', 'skipped'] as const).flatMap((wanted) => {
		const those = unmeasured.filter(({ kind }) => kind === wanted);
		const short = those.map(({ name, reason }) => `${name} (${reason.split('\n')[0]})`);
		return those.length === 0 ? [] : [`${those.length} ${wanted}: ${short.join(', ')}`];
	});
	const counted = (['met', 'not met', 'drifted'] as const)
		.map((verdict) => `${figures.filter((figure) => figure.verdict === verdict).length} ${verdict}`)
		.join(', ');
	const works = outcomes.length - unmeasured.length;
	const closing = [works === 1 ? '1 measurement works' : `${works} measurements work`, ...shortReasons].join('; ');
	return [...judged, ...reasons, ...(size === 'full' ? [`Figures: ${counted}`] : []), closing];
}

function printedFigure({ name, goal, shown, verdict, detail }: Figure): string {
	return `${words[verdict]} ${name}: ${shown} (goal ${goal}); ${detail}`;
}

/** 1 when a measurement is broken. A missed goal breaks nothing. */
export function exitStatus(outcomes: readonly Outcome[]): number {
	return outcomes.some(({ kind }) => kind === 'broken') ? 1 : 0;
}

function figuresOf(outcomes: readonly Outcome[]): readonly Figure[] {
	return outcomes.flatMap((outcome) => (outcome.kind === 'measured' ? outcome.figures : []));
}

/** A row for each figure and each measurement without one. */
function figureTable(outcomes: readonly Outcome[]): readonly string[] {
	const feltBy = new Map(measurements.map((each) => [each.name, each.feltBy]));
	return [
		row(['figure', 'felt by', 'goal', 'measured', 'result', 'detail']),
		row(['---', '---', '---', '---', '---', '---']),
		...outcomes.flatMap((outcome) =>
			outcome.kind !== 'measured'
				? [
						row([
							outcome.name,
							feltBy.get(outcome.name) ?? '',
							'',
							'',
							outcome.kind,
							outcome.reason.split('\n')[0] ?? '',
						]),
					]
				: outcome.figures.map(({ name, goal, shown, verdict, detail }) =>
						row([
							name,
							feltBy.get(outcome.name) ?? '',
							goal,
							shown,
							verdict,
							detailWithAttempts(detail, verdict, outcome),
						]),
					),
		),
	];
}

function detailWithAttempts(detail: string, verdict: Figure['verdict'], { attempts }: Measured): string {
	return verdict === 'drifted' ? `${detail}; the baseline drifted too far to judge, ${attempts} times` : detail;
}

function timeTable(outcomes: readonly Outcome[]): readonly string[] {
	return [
		row(['measurement', 'time', 'measured']),
		row(['---', '---:', '---:']),
		...outcomes.map((outcome) =>
			row([
				`\`${outcome.name}\``,
				`${Math.round(outcome.tookMs / 1000)} s`,
				outcome.kind !== 'measured' ? outcome.kind : outcome.attempts === 1 ? 'once' : `${outcome.attempts} times`,
			]),
		),
	];
}

function row(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

export interface RunFacts {
	readonly date: Date;
	readonly commit: string;
	readonly version: string;
	readonly node: string;
	readonly machine: string;
	readonly tookMs: number;
}

/** `docs/benchmarks.md`: the facts and figures of one whole run. */
export function benchmarksPage(outcomes: readonly Outcome[], facts: RunFacts): string {
	const minutes = (facts.tookMs / 60_000).toFixed(1);
	return [
		'# Benchmarks',
		'',
		intro,
		'',
		row(['what', 'value']),
		row(['---', '---']),
		row(['date', facts.date.toISOString()]),
		row(['commit', facts.commit]),
		row(['Forge Desk', facts.version]),
		row(['Node', facts.node]),
		row(['machine', facts.machine]),
		row(['time', `${minutes} min`]),
		row(['result', exitStatus(outcomes) === 0 ? 'good' : 'broken']),
		'',
		...figureTable(outcomes),
		'',
		notes,
		'',
		...timeTable(outcomes),
		'',
	].join('\n');
}

const intro = `Written by a whole run of \`npm run bench\`, which prints the same figures. Do not edit this page by hand.
\`npm run bench -- walk filter\` makes only the measurements of these names and writes nothing.

Each ratio is to a baseline in the same run. Both take turns (A B, B A, …), and warm-up rounds do not count. No round begins once seven of them took 12 s.
A figure is met, not met, or drifted. It drifted if the median of its baseline moved by more than a quarter between the first and the last third of its rounds, also in each repeat. A drifted measurement repeats up to three times, while the run is under 12 minutes. A repeat replaces only drifted figures.
The result of a run is good if no measurement is broken, whatever its figures.`;

const notes = `- **Activation, in the extension host**: what the editor takes for \`extension.activate()\`, loading included, in a fresh window per sample, against an extension that does nothing.
- **Filter and sort**: the dearest of several filters, read before, over the shuffled tickets of the big sample tracker, against parsing the server's own JSON of them. Nothing is kept between two runs, so every run folds every text anew. The block is what the event loop saw while all of them ran one after the other as the views run them.
- **Listing and indexing**: the same with store and index behind it. The run proves that the requests are the same as the bare loop's.
- **100,000 tickets**: the same as the Tickets view and the memory of its rows, for whoever follows a very large tracker.
- **Ticket page**: from opening the page of a ticket that nobody has read to its rendered text; the renderer is loaded. In the editor: from the button of the mouse going down on a row of the view to the first picture with the heading, against a panel with one line of text, in turn in one window. The tracker has 10,000 tickets, all of them loaded. A step that finds nothing is compared with a key whose command only answers in the status bar. The block of the host is what the event loop saw from the click on the tracker's arrow to its rows, the editor's own work on the rows included.
- **Keys in the editor**: from the last key of a chord in a view to the first picture of its effect: rows in a box, another label of the focused row, or a text in the status bar. The other key is of an extension that only opens a box, changes a row or answers. The redraws after the last change are over before a key is pressed. The tickets are 10,000.
- **Review in the editor**: patchsets whose mails are known, each clicked after an empty panel, so that its page comes into view anew; from the button of the mouse going down to the first picture with the heading. A next file is opened by key from file to file; the other key opens plain documents of as many lines, by an extension that does nothing else.
- **Series**: mails that \`git format-patch\` wrote of a made history of real sources. Git gets them as they are; as it takes as long as many of our readings, one sample of ours is the mean of four readings in a row, after one that is not timed; every third is in quoted-printable and every tenth in base64, as lists have them. Ours reads them from bytes to patches, authors, files, statistics and everything that is wrong with the series; the run proves first that numbers and names are git's own.
- **Peers**: no program of others belongs to this project. \`FORGE_DESK_PEERS=FOLDER npm run bench\` takes each from a folder. Without the variable, Python and b4 come from the PATH. A measurement whose peer is missing is skipped. \`python3 -m venv FOLDER && FOLDER/bin/pip install b4==0.16.0 unidiff==1.0.1 && npm install --prefix FOLDER parse-diff@0.12.0\` makes such a folder. Each measurement compares the results first: the text of the range-diff; author, message and patch of each mail as git reads them; lines of each file, by count and length. The times of \`git range-diff\` and \`b4 am\` include the start of their processes, for which people wait. A row “without the start of Python” has the same goal and repeats the work in one process. “As they arrive” includes the reading of all mails; a page has read its mails before. Of a diff, ours makes a value for each line, as its peers do.
- **Opening a series**: from envelopes to the standing that its page shows, through the stores, while a hostile mail is read whole in the thread for mails; what an idle loop of the same process stood still for in as much time is taken off.
- **Replies and versions**: of each comment of the corpus (\`test/corpus/replies\`) a person wrote down where it stands, in a file that what places them never reads; it stands right where its line, its text and what it answers are the same. A half of the conversations was not looked at while that was written. Second versions are made of pieces of this project's history: reworded, changed, dropped, added, squashed, in another order and on another base.
- **Memory**: the heap in use after a collection, above what it was before the stores were made. Tickets have about 700 characters each, and as many as the view shows at most have rows; of each patchset the cover letter, four patches of a made history of real sources and an answer to each are read, its standing is told, and its patches and their files have rows. What the forge answers is copied, so that nothing is shared with it.
- **Walk**: the packaged API layer and the store over a repository that nobody has seen, whose forge runs in a process of its own and waits before every answer; the bare loop asks for the very same trees in as many connections and only parses. After a commit, and over what is known, only requests are counted.
- **Folder and file**: through the file system that the editor asks, each one that nobody has opened, in a window that knows the folder above; size and content are asked for at once, as the editor does.
- **Over GraphQL**: what a view reads of somebody who has read nothing before, through the packaged API layer and the store; the other loop sends the fewest requests by undici and parses what comes. Of a folder of 100 entries the API loses some, so both let git fetch it by its id, into a new folder, and read what came; that is two starts of git, which take most of the time beside the answers' latency. Ours also keeps strangers out in its time: git is looked for along PATH each time, never in folders that are open, each run is a group of processes of its own, and its folder is gone before the rows are shown. Its second git starts while the first one fetches; the other loop starts one after the other.
- **Large pages**: pages of a made series and of a made thread whose mails are read. The real page and its host are in a browser as in the tests of pages; the host alone opens it once more, because the browser's driver works in its process. A block is CPU time of a thread, so other programs on the machine do not count; systems count it in steps of 4 ms, which are added. Memory is what the page's elements and scripts hold after a collection, above an empty page.
- **Keys of a review**: the commands of the keys in an editor that asks for documents, their sizes and ranges of comments, each in a turn of its own.
- **First diff**: from the command on a file of a patch to the text of both sides, as the editor reads them, in a window that knows neither list nor repository; the other loop sends the very same requests by undici, one after another, and reads their bodies. The run proves first that the file is whole and verified.
- **Whole files**: of the sample world every file of every patchset, each patchset in a window of its own, without a clone; of a real history patches whose base is so many commits behind the newest one, without files by their ids, and with at most 60 requests each; the same with git, which fetches the history from the local disk, anew for every tenth patch.
- **Diffs of commits**: the log is known; which trees differ is counted over a clone by git's own trees, each once.
- **Hostile input**: answers and texts that were made to be a burden. The server that answers in chunks of one byte runs in a process of its own; what memory grows by is looked at every 5 ms. The readers of text are those whose growth \`npm test\` times (\`test/support/textParsers.ts\`).
- **Webhooks**: deliveries as forges send them, each in a connection of its own and signed. A delivery names a ticket of a tracker that is watched, another one each round; the real watch and store read it from a forge in memory. Under attack the listener, or the bare server that it is compared with, is in a process of its own and attackers are in two others: one holds slow sockets, which come back when they are cut off, and sends bodies that are far too large to the path of a hook; the other sends deliveries that are forged, replayed or changed by one bit. Good ones are sent for as long as that goes on. The listener asks with each request what it asks in a window: the settings, the hooks and the file of the probe. A push that waits is read and its text made as in a window. Memory is counted from when as many good deliveries as hostile ones have been sent, as many at a time, with V8’s young generation at its full size from the start: what is resident in the run whose times count, without a collection by force; what is held in a run of its own.
- **Watching**: other people's trackers of 120 open tickets each, lists and repositories in memory, all of which the account wants everything of, watched by the real stores and loop, in a window that nobody looks at them in, with the budget that is usual. Time goes on by seconds, one request in each at most, and chance is the same in every run, so the figures are, too; nothing is timed. The first two hours, in which everything is read for the first time, do not count. Busy means a comment, a mail or a push each minute, each time in another place. The other way asks each thing each minute for the same: of a tracker its newest page, of a list posts, answers and patchsets, of a repository its references, and the timeline or the mail for what is new.
- **The largest inbox**: 2,000 comments and 5,000 positions, 20 of which are of repositories with 1,000 references each, in a file that two windows write. A change is one entry that is marked as read; it is on the disk when the call returns, because what was told must not be told again after a kill. The other window takes the whole text over and looks whether it has more to say.
- **Listing**: the packaged API layer (token, limits, deadline, decoding of every field, paging past a cursor that loops) against a sequential loop of \`undici.request\` and \`JSON.parse\` that sends the very same requests; the run first proves that the requests are the same and that both see every ticket. The sample forge runs in a process of its own and answers from memory.`;
