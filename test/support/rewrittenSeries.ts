import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyDiff } from 'patchmail/patch/applyDiff.ts';
import type { FileDiff } from 'patchmail/patch/fileDiff.ts';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import type { Random } from './random.ts';
import { root } from '../harness/places.ts';
import { gitIn } from './patchMakerGit.ts';
import { filesNamed } from './storedObjects.ts';

/** Two versions of a series: commits after their bases, in one repository. */
export interface RewrittenSeries {
	readonly before: string;
	readonly after: string;
}

interface Commit {
	readonly message: string;
	readonly author: string;
	readonly files: readonly FileDiff[];
	readonly text: string;
	/** Edits after applying the patch. */
	readonly edits: readonly ((files: Map<string, string>, touched: readonly string[]) => void)[];
}

const mostLines = 1500;

/**
 * Fills a bare repository with second versions of parts of this project's history: reworded, changed, dropped, added,
 * squashed and reordered patches, also on another base. Each is a range of commits for `git range-diff`.
 */
export function rewriteHistory(folder: string, random: Random, count: number): readonly RewrittenSeries[] {
	gitIn(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
	const objects = gitIn(root, ['rev-parse', '--path-format=absolute', '--git-path', 'objects']).toString();
	writeFileSync(join(folder, 'objects/info/alternates'), objects);
	const runs = linearRuns();
	const all: RewrittenSeries[] = [];
	const input: string[] = [];
	for (let mark = 1; all.length < count;) {
		const run = runs[random.below(runs.length)] ?? [];
		const length = 1 + random.below(7);
		const start = random.below(Math.max(1, run.length - length - 1));
		const [base = '', ...commits] = run.slice(start, start + length + 1);
		const tip = commits.at(-1);
		const series = tip === undefined ? [] : commitsOf(base, tip);
		if (tip === undefined || series.length === 0) {
			continue;
		}
		const otherBase = random.chance(40) ? (run[Math.max(0, start - 1 - random.below(8))] ?? base) : base;
		const name = `refs/heads/rewritten-${all.length}`;
		const made = writeSeries(rewritten(series, random), { base: otherBase, name, mark });
		if (made.length > 0) {
			input.push(...made);
			mark += made.length;
			all.push({ before: `${base}..${tip}`, after: `${otherBase}..${name}` });
		}
	}
	gitIn(folder, ['fast-import', '--quiet', '--force'], input.join(''));
	return all;
}

/** Uses only the oldest commits, so that a seed gives the same series after later commits. */
const commitsInUse = 500;

/** Parts of the history without merges, oldest commits first. */
function linearRuns(): readonly (readonly string[])[] {
	const rows = gitIn(root, ['rev-list', '--first-parent', '--parents', '--reverse', 'HEAD']).toString().trim();
	const runs: string[][] = [[]];
	for (const row of rows.split('\n').slice(0, commitsInUse)) {
		const [id = '', , merged] = row.split(' ');
		if (merged !== undefined) {
			runs.push([]);
		}
		runs.at(-1)?.push(id);
	}
	return runs.filter((run) => run.length > 3);
}

/** Empty for large series or changes of binary files. */
function commitsOf(base: string, tip: string): readonly Commit[] {
	const format = '--format=%x00%an <%ae>%x00%B%x00';
	const args = ['log', '--reverse', '-p', '--full-index', '--no-ext-diff', format, `${base}..${tip}`];
	const [, ...parts] = gitIn(root, args).toString().split('\0');
	const commits = Array.from({ length: parts.length / 3 }, (_, at): Commit => {
		const [author = '', message = '', text = ''] = parts.slice(at * 3, at * 3 + 3);
		return { author, message, text, files: parseDiff(text).files, edits: [] };
	});
	const isText = commits.every(({ files }) => files.every(({ content }) => content.kind === 'text'));
	const lines = commits.reduce((sum, { text }) => sum + text.split('\n').length, 0);
	return isText && lines < mostLines && parts.length % 3 === 0 ? commits : [];
}

function rewritten(series: readonly Commit[], random: Random): readonly Commit[] {
	const made = [...series];
	for (let step = 0; step <= random.below(4); step += 1) {
		const at = random.below(made.length);
		const here = made[at];
		const next = made[at + 1];
		switch (random.below(here === undefined ? 1 : 7)) {
			case 0:
				made.splice(at, 0, {
					message: 'Add a note\n\nIt was missing.\n',
					author: 'Eve New <eve@forge.test>',
					text: '',
					files: [],
					edits: [addFile(random)],
				});
				break;
			case 1:
				made.splice(at, 1);
				break;
			case 2:
				if (here && next) {
					made.splice(at, 2, next, here);
				}
				break;
			case 3:
				if (here && next) {
					const files = [...here.files, ...parseDiff(here.text + next.text).files.slice(here.files.length)];
					made.splice(at, 2, {
						...here,
						text: here.text + next.text,
						files,
						message: `${here.message}\n${next.message}`,
					});
				}
				break;
			case 4:
				if (here) {
					made[at] = { ...here, message: reworded(here.message, random) };
				}
				break;
			default:
				if (here) {
					made[at] = { ...here, edits: [...here.edits, editTouched(random)] };
				}
		}
	}
	return made;
}

function reworded(message: string, random: Random): string {
	return random.chance(50)
		? message.replace(/^.*/, (title) => `${title} (größer)`)
		: `${message.trimEnd()}\n\n\tIndented\tby tabs, 日本\tas well.\n\nReviewed-by: Bob <bob@forge.test>\n`;
}

function addFile(random: Random): Commit['edits'][number] {
	const name = `notes/${random.below(1000)} ö.txt`;
	const lines = Array.from({ length: 1 + random.below(8) }, () => `note ${random.below(100)}`);
	const end = random.chance(30) ? '' : '\n';
	return (files) => files.set(name, lines.join('\n') + end);
}

function editTouched(random: Random): Commit['edits'][number] {
	const steps = Array.from({ length: 1 + random.below(3) }, () => [
		random.below(1000),
		random.below(1000),
		random.below(3),
	]);
	return (files, touched) => {
		for (const [which = 0, where = 0, what = 0] of steps) {
			const path = touched[which % Math.max(1, touched.length)] ?? '';
			const lines = files.get(path)?.split('\n');
			if (lines) {
				const at = Math.floor((where * lines.length) / 1000);
				lines.splice(at, what === 0 ? 0 : 1, ...(what === 2 ? [] : [`\t// changed ${where}`]));
				files.set(path, lines.join('\n'));
			}
		}
	};
}

/** Commands of fast-import for each commit with changes. */
function writeSeries(
	series: readonly Commit[],
	{ base, name, mark }: { readonly base: string; readonly name: string; readonly mark: number },
): readonly string[] {
	const paths = series.flatMap((commit) => commit.files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]));
	const known = Array.from(new Set(paths.filter((path) => path !== undefined)));
	const contents = filesNamed(
		root,
		known.map((path) => `${base}:${path}`),
	);
	const files = new Map<string, string>();
	for (const path of known) {
		const content = contents.get(`${base}:${path}`);
		if (content) {
			files.set(path, content.toString());
		}
	}
	const made: string[] = [];
	for (const commit of series) {
		const before = new Map(files);
		const touched = commit.files.flatMap((file) => applied(files, commit.text, file));
		commit.edits.forEach((edit) => edit(files, touched));
		const changes = changesBetween(before, files);
		if (changes.length > 0) {
			const message = Buffer.from(commit.message);
			const when = 1_700_000_000 + (mark + made.length) * 60;
			made.push(
				[
					`commit ${name}\nmark :${mark + made.length}\nauthor ${commit.author} ${when} +0000\n`,
					`committer Carl <carl@forge.test> ${when} +0000\ndata ${message.length}\n${commit.message}\n`,
					`from ${made.length === 0 ? base : `:${mark + made.length - 1}`}\n`,
					...changes,
					'\n',
				].join(''),
			);
		}
	}
	return made;
}

function applied(files: Map<string, string>, text: string, file: FileDiff): readonly string[] {
	const before = file.oldPath === undefined ? '' : files.get(file.oldPath);
	const outcome = before === undefined ? undefined : applyDiff(before, text, file);
	if (outcome?.kind !== 'applied') {
		return [];
	}
	if (file.oldPath !== undefined && file.change !== 'copied') {
		files.delete(file.oldPath);
	}
	if (file.newPath === undefined) {
		return [];
	}
	files.set(file.newPath, outcome.after);
	return [file.newPath];
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
	const gone = [...before.keys()].filter((path) => !after.has(path)).map((path) => `D "${path}"\n`);
	const put = [...after].filter(([path, text]) => before.get(path) !== text);
	return [
		...gone,
		...put.map(([path, text]) => `M 100644 inline "${path}"\ndata ${Buffer.byteLength(text)}\n${text}\n`),
	];
}
