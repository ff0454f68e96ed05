// The figures of docs/benchmarks.md: each a ratio to a baseline measured in the same run.
import { statSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { root, vsixFile } from '../harness/places.ts';
import { activation } from './activation.ts';
import { connections } from './bigRepository.ts';
import { commitDiffs } from './commitDiffs.ts';
import { filterTickets } from './filterTickets.ts';
import { hostActivation } from './hostActivation.ts';
import type { Comparison } from './interleaved.ts';
import { indexTickets, type Indexing } from './indexTickets.ts';
import { keepIndex, type Keeping } from './keepIndex.ts';
import { listTickets } from './listTickets.ts';
import { openEntries, type OpeningEntries } from './openEntries.ts';
import { openInEditor } from './openInEditor.ts';
import { openPage } from './openPage.ts';
import { excessOf, openSeries, type OpeningSeries } from './openSeries.ts';
import { readSeriesFigures, type SeriesFigures } from './readSeries.ts';
import { renderComments } from './renderComments.ts';
import { treeBlocks, type TreeBlocks } from './treeRows.ts';
import { walkRepository, type Walking } from './walkRepository.ts';

interface Figure {
	readonly name: string;
	readonly goal: string;
	readonly value: string;
	readonly isMet: boolean;
	readonly detail: string;
}

/** A baseline that wandered further than this between the thirds of its run judges nobody. */
const mostDrift = 0.25;

const rounds = Number(process.env['FORGE_DESK_BENCH_ROUNDS'] ?? 21);
const tickets = 10_000;
const files = 56_172;

function ratioFigure(name: string, goal: number, comparison: Comparison): Figure {
	const { ours, baseline, ratio, ratioOfFastest, drift } = comparison;
	const steady = drift <= mostDrift ? '' : '; the baseline drifted too far to judge';
	return {
		name,
		goal: `≤ ${goal}`,
		value: ratio.toFixed(3),
		isMet: ratio <= goal && drift <= mostDrift,
		detail: `median ${ours.median.toFixed(2)} to ${baseline.median.toFixed(2)} ms, fastest ${ours.fastest.toFixed(2)} to ${baseline.fastest.toFixed(2)} ms (${ratioOfFastest.toFixed(3)}), ${ours.count} pairs, drift ${(drift * 100).toFixed(0)} %${steady}`,
	};
}

function blockFigure(name: string, blockMs: number, detail: string): Figure {
	return { name, goal: '≤ 16 ms', value: `${blockMs.toFixed(1)} ms`, isMet: blockMs <= 16, detail };
}

function detailOf({ bareLongestBlockMs }: Indexing): string {
	return `best of three runs; ${bareLongestBlockMs.toFixed(1)} ms in the bare loop`;
}

function sizeOf({ jsonBytes }: Keeping): string {
	return `best of three runs, ${(jsonBytes / 1e6).toFixed(1)} MB of JSON`;
}

/** The worst of the steps stands for all. */
function treeFigure({ tickets: count, steps }: TreeBlocks): Figure {
	const detail = steps.map(({ name, blockMs }) => `${name} ${blockMs.toFixed(1)}`).join(', ');
	const worst = Math.max(...steps.map(({ blockMs }) => blockMs));
	return blockFigure(`Tickets view over ${count} tickets: longest block of the event loop`, worst, `in ms: ${detail}`);
}

function seriesFigures({ toGit, toLines, toPlainLines, diffsToGit, ...size }: SeriesFigures): readonly Figure[] {
	const { patches, files, bytes } = size;
	const mails = `${patches} patches (${(bytes / 1e6).toFixed(1)} MB, ${files} files)`;
	const lines = ratioFigure(
		`${mails} from raw mails to the whole series, to decoding and splitting into lines`,
		2,
		toLines,
	);
	const ofPlain = `${toPlainLines.ratio.toFixed(3)} where no mail needs decoding`;
	return [
		ratioFigure(`${mails} from raw mails to the whole series, to git mailsplit, mailinfo and apply`, 0.02, toGit),
		{ ...lines, detail: `${lines.detail}; ${ofPlain}` },
		ratioFigure('The diffs of that series found and counted, to git apply --numstat in one process', 1.0, diffsToGit),
	];
}

/** What the host itself stands still for is not ours. */
function openingFigure(opening: OpeningSeries): Figure {
	const { patches, hostileBytes, tookMs, longestMs, p99Ms, idleLongestMs, idleP99Ms } = opening;
	const name = `Opening ${patches} patches and a hostile mail of ${(hostileBytes / 1e6).toFixed(0)} MB: longest block above an idle host's`;
	const detail = `longest ${longestMs.toFixed(1)} and p99 ${p99Ms.toFixed(1)} ms in ${(tookMs / 1000).toFixed(1)} s; idle host ${idleLongestMs.toFixed(1)} and ${idleP99Ms.toFixed(1)} ms; best of three runs`;
	return blockFigure(name, excessOf(opening), detail);
}

function countFigure(name: string, goal: number, count: number, detail: string): Figure {
	return { name, goal: String(goal), value: String(count), isMet: count === goal, detail };
}

function walkFigures(walking: Walking): readonly Figure[] {
	const { folders, floorMs, knownFloorMs, overDiskMs, ours, toFloor, toBareLoop, requests } = walking;
	const { first, afterCommit, changedTrees, again, fromDisk } = requests;
	const { baseline, ratio, drift } = toBareLoop;
	const steady = drift <= mostDrift ? '' : '; the machine was too busy to judge';
	const bare = `bare loop ${(baseline.median / floorMs).toFixed(3)}, ours to it ${ratio.toFixed(3)}, drift ${(drift * 100).toFixed(0)} %${steady}`;
	const toKnown = `folders that are known to ask for allow ${(knownFloorMs / floorMs).toFixed(3)} at best`;
	const disk = `over an empty store on the disk ${(overDiskMs / floorMs).toFixed(3)}`;
	return [
		{
			name: `First walk of ${files} files in ${folders} folders at 10 ms latency, to folders × latency ÷ ${connections} connections`,
			goal: '≤ 1.15',
			value: toFloor.toFixed(3),
			isMet: toFloor <= 1.15 && drift <= mostDrift,
			detail: `median ${ours.median.toFixed(0)} to ${floorMs.toFixed(0)} ms, fastest ${(ours.fastest / floorMs).toFixed(3)}; ${toKnown}; ${bare}; ${disk}`,
		},
		countFigure(
			'Requests wasted by that walk',
			0,
			first - folders - 1,
			`${first} requests: one for the commit, and one for each folder`,
		),
		countFigure(
			'Requests wasted by a walk after one commit',
			0,
			afterCommit - changedTrees,
			`${afterCommit} requests for the ${changedTrees} trees that the commit changed`,
		),
		countFigure(
			'Requests of a walk over what is known, in the same window and from the disk in another',
			0,
			again + fromDisk,
			`${again} and ${fromDisk}`,
		),
	];
}

function entryFigures(opening: OpeningEntries, atOnce: OpeningEntries): readonly Figure[] {
	const { folder, file, folderRequests, fileRequests, deepRequests, deepPath, knownRequests } = opening;
	const deep = deepPath.split('/').length - 1;
	const withoutLatency = (figure: Figure, { ratio }: Comparison): Figure => ({
		...figure,
		detail: `${figure.detail}; ${ratio.toFixed(3)} without any latency`,
	});
	return [
		withoutLatency(
			ratioFigure('Folder whose parent is known, to one bare request at 10 ms latency', 1.2, folder),
			atOnce.folder,
		),
		withoutLatency(
			ratioFigure('File whose folder is known, to one bare request at 10 ms latency', 1.2, file),
			atOnce.file,
		),
		countFigure('Requests for that folder', 1, folderRequests, `${knownRequests} once it and the file are known`),
		countFigure('Requests for that file, its size and its content', 1, fileRequests, 'both are asked for at once'),
		countFigure(
			`Requests for a file ${deep} folders deep that is opened before anything else of its repository`,
			3,
			deepRequests,
			'where the reference stands, the folder by its path, the file by its id',
		),
	];
}

async function measureAll(): Promise<readonly Figure[]> {
	const inHost = await hostActivation(rounds);
	const started = activation(rounds * 2);
	const quick = await listTickets(tickets, 0, rounds);
	const slow = await listTickets(tickets, 10, Math.max(5, Math.floor(rounds / 3)));
	const indexed = await indexTickets(tickets, 0, rounds);
	const indexedSlowly = await indexTickets(tickets, 10, Math.max(5, Math.floor(rounds / 3)));
	const keeping = await keepIndex(tickets);
	const filtering = await filterTickets(tickets, rounds);
	const tree = await treeBlocks(tickets);
	const rendering = await renderComments(1000, rounds);
	const opening = await openPage(10, rounds * 2);
	const inEditor = await openInEditor(rounds);
	const series = await readSeriesFigures(500, rounds);
	const openingSeries = await openSeries(500);
	const walking = await walkRepository(files, 10, Math.max(5, Math.floor(rounds / 3)));
	const openedAtOnce = await openEntries(0, rounds * 5);
	const opened = await openEntries(10, rounds * 2);
	const diffs = await commitDiffs();
	const vsixBytes = statSync(vsixFile).size;
	return [
		ratioFigure('Activation to an empty extension, in the extension host', 1.5, inHost),
		ratioFigure('Activation to an empty extension, bare Node process', 1.5, started.comparison),
		{
			name: 'Requests at activation',
			goal: '0',
			value: String(started.connections),
			isMet: started.connections === 0,
			detail: 'connections opened by the process while the entry was loaded and activated',
		},
		{
			name: 'Network modules loaded at activation',
			goal: '0',
			value: String(started.networkModules.length),
			isMet: started.networkModules.length === 0,
			detail: started.networkModules.join(', ') || 'none of undici, net, tls, http, https, http2, dns, net.cjs',
		},
		ratioFigure('10,000 tickets to a bare loop, 0 ms latency', 1.0, quick.all),
		ratioFigure('10,000 tickets to a bare loop, 10 ms latency', 1.01, slow.all),
		ratioFigure('First 50 tickets to one bare request, 0 ms latency', 1.3, quick.firstPage),
		ratioFigure('First 50 tickets to one bare request, 10 ms latency', 1.3, slow.firstPage),
		ratioFigure('10,000 tickets listed and indexed to a bare loop, 0 ms latency', 1.0, indexed.all),
		ratioFigure('10,000 tickets listed and indexed to a bare loop, 10 ms latency', 1.0, indexedSlowly.all),
		blockFigure('Listing and indexing: longest block of the event loop', indexed.longestBlockMs, detailOf(indexed)),
		blockFigure(
			'Writing the index of 10,000 tickets to the disk: longest block',
			keeping.writeBlockMs,
			sizeOf(keeping),
		),
		blockFigure('Reading it back: longest block', keeping.readBlockMs, sizeOf(keeping)),
		ratioFigure('Filter and sort 10,000 tickets to one JSON.parse of them', 0.5, filtering.slowest.comparison),
		{
			name: 'Filter and sort with rests: longest block of the event loop',
			goal: '≤ 16 ms',
			value: `${filtering.longestBlockMs.toFixed(1)} ms`,
			isMet: filtering.longestBlockMs <= 16,
			detail: filtering.filters
				.map(({ filter, found, ratio }) => `\`${filter}\` found ${found}, ${ratio.toFixed(3)} in one go`)
				.join('; '),
		},
		treeFigure(tree),
		ratioFigure('1,000 comments with everything to plain markdown-it, every text new', 1.4, rendering.comparison),
		ratioFigure('Ticket page to its HTML, to one bare request at 10 ms latency', 1.3, opening),
		ratioFigure('Click to a readable ticket in the editor, to an empty panel', 1.3, inEditor),
		...seriesFigures(series),
		openingFigure(openingSeries),
		...walkFigures(walking),
		...entryFigures(opened, openedAtOnce),
		{
			name: 'Requests for the diffs of all commits of a repository, to the trees that differ',
			goal: 'exactly 1.0',
			value: (diffs.requests / diffs.needed).toFixed(3),
			isMet: diffs.requests === diffs.needed,
			detail: `${diffs.requests} requests for ${diffs.needed} trees in ${diffs.commits} commits, merges against each parent`,
		},
		{
			name: 'VSIX, sample forge and world counted in',
			goal: '≤ 300 KiB',
			value: `${(vsixBytes / 1024).toFixed(1)} KiB`,
			isMet: vsixBytes <= 300 * 1024,
			detail: `${vsixBytes} bytes`,
		},
	];
}

function tableOf(figures: readonly Figure[]): string {
	return [
		'| figure | goal | measured | met | detail |',
		'|---|---|---|---|---|',
		...figures.map(
			({ name, goal, value, isMet, detail }) =>
				`| ${name} | ${goal} | ${value} | ${isMet ? 'yes' : 'no'} | ${detail} |`,
		),
	].join('\n');
}

const figures = await measureAll();
for (const { name, goal, value, isMet, detail } of figures) {
	console.log(`${isMet ? 'met    ' : 'NOT MET'} ${name}: ${value} (goal ${goal}); ${detail}`);
}
const processor = cpus()[0]?.model ?? 'unknown processor';
writeFileSync(
	join(root, 'docs/benchmarks.md'),
	`# Benchmarks

Written by \`npm run bench\`, which prints the same figures. Each ratio is to a baseline measured in the same run, in turn with ours (A B, B A, …), three rounds of warm-up not counted.
A ratio whose baseline drifted by more than a quarter between the first and the last third of the run counts as not met.

Last run: ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus().length} × ${processor}.

${tableOf(figures)}

- **Activation, in the extension host**: what the editor takes for \`extension.activate()\`, loading included, in a fresh window per sample, against an extension that does nothing.
- **Activation, bare Node process**: loading and activating the packaged entry in a fresh process with a stand-in for the editor's interface. Every language feature is cold there, so a few kilobytes of code cost more than in a host that has loaded other extensions.
- **Filter and sort**: the dearest of several filters, read before, over the shuffled tickets of the big sample tracker, against parsing the server's own JSON of them. Nothing is kept between two runs, so every run folds every text anew. The block is what the event loop saw while all of them ran one after the other as the views run them.
- **Listing and indexing**: the same with store and index behind it, through the way that reads a whole tracker: each next page is on its way while one is parsed and taken in. The run proves that the requests are the same as the bare loop's.
- **Comments**: 1,000 comments of about one kilobyte with links, mentions, task lists, quotes and code in four languages, each round other ones, so that nothing remembered counts; against markdown-it as it comes, raw HTML off.
- **Ticket page**: from opening the page of a ticket that nobody has read to its rendered text; the renderer is loaded. In the editor: from the button of the mouse going down on a row of the view to the first picture with the heading, against a panel with one line of text, in turn in one window.
- **Series**: mails that \`git format-patch\` wrote of a made history of real sources. Git gets them as they are; as it takes as long as many of our readings, one sample of ours is the mean of four readings in a row, after one that is not timed, and no round of warm-up is left out; for the comparison with lines every third is in quoted-printable and every tenth in base64, as lists have them. Ours reads them from bytes to patches, authors, files, statistics and everything that is wrong with the series; the run proves first that numbers and names are git's own. Splitting into lines means undoing the transfer encoding, making line ends LF and splitting; what either made is kept until the next round.
- **Opening a series**: from envelopes to the standing that its page shows, through the stores, while a hostile mail is read whole in the thread for mails; what an idle loop of the same process stood still for in as much time is taken off.
- **Walk**: the packaged API layer and the store over a repository that nobody has seen, whose forge runs in a process of its own and waits before every answer; the bare loop asks for the very same trees in as many connections and only parses. At the start only the root is known to ask for, then the few folders in it, so no walk in the order in which folders are met can be at the floor; what that order allows is counted, with answers that take exactly as long. A forge that waits 10 ms by a timer answers after about 10.5. After a commit, and over what is known, only requests are counted.
- **Folder and file**: through the file system that the editor asks, each one that nobody has opened, in a window that knows the folder above; size and content are asked for at once, as the editor does.
- **Diffs of commits**: the log is known; which trees differ is counted over a clone by git's own trees, each once.
- **Listing**: the packaged API layer (token, limits, deadline, decoding of every field, paging past a cursor that loops) against a sequential loop of \`undici.request\` and \`JSON.parse\` that sends the very same requests; the run first proves that the requests are the same and that both see every ticket. The sample forge runs in a process of its own and answers from memory.
`,
);
