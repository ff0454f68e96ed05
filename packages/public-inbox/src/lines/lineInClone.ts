import { runResting, type Resting, type Steps } from '@forge-desk/base/timeSlice.ts';
import { gitCommands } from 'hardened-git/gitCommands.ts';
import { outputOf, runText, type HardenedGit } from 'hardened-git/hardenedGit.ts';
import { LineNumbers, lineChanges } from 'patchmail/patch/lineDiff.ts';
import { lineBetween } from 'patchmail/patch/lineMap.ts';
import type { CommittedLine } from './committedLine.ts';

/** A line of a file as it is edited. */
export interface EditedLine {
	/** Top folder of the clone. */
	readonly root: string;
	/** Of the file, with slashes. */
	readonly path: string;
	/** The checked-out commit. */
	readonly commit: string;
	readonly text: string;
	/** From 0. */
	readonly line: number;
}

/** Finds the commits of edited lines. Keeps the last commit, because neighbouring lines often have the same one. */
export function committedLines(git: HardenedGit, resting: Resting) {
	let last: Awaited<ReturnType<typeof committed>> | undefined;

	return {
		/** The commit that gave a line its form. `undefined` for an uncommitted line. Throws `GitFailure`. */
		async of(edited: EditedLine, signal: AbortSignal): Promise<CommittedLine | undefined> {
			const { root, path, commit, text, line } = edited;
			const before = await runText(git, root, gitCommands.contentAt(commit, path), signal);
			const place =
				before.code === 0 ? await runResting(lineBefore(before.text, text, line), resting, signal) : undefined;
			if (place === undefined) {
				return undefined;
			}
			const origin = await lineOrigin(git, edited, place + 1, signal);
			const found = last?.commit === origin.commit ? last : await committed(git, root, origin.commit, signal);
			last = found;
			return { ...found, ...origin };
		},
	};
}

/** The place of an edited text's line in the text before the edit, both from 0; `undefined` for a new line. */
function* lineBefore(before: string, now: string, line: number): Steps<number | undefined> {
	const numbers = new LineNumbers();
	const linesOf = (text: string): Int32Array => numbers.of(text.split(/\r?\n/));
	const changes = yield* lineChanges(linesOf(now), linesOf(before), numbers.indentOf);
	const place = lineBetween(changes, line);
	return place.kind === 'same' ? place.line : undefined;
}

/** Searches the history of a line, from 1, through renames of its file. */
async function lineOrigin(git: HardenedGit, { root, commit, path }: EditedLine, line: number, signal: AbortSignal) {
	const output = (await outputOf(git, root, gitCommands.blame(commit, path, line), signal)).toString('utf8');
	const [, origin = ''] = /^([0-9a-f]{40,64}) /.exec(output) ?? [];
	// Subject and content may have other signs that end a line.
	const lines = output.split('\n');
	const behind = (start: string): string | undefined =>
		lines.find((each) => each.startsWith(start))?.slice(start.length);
	const name = behind('filename ') ?? path;
	// Git quotes names with control characters, and nobody mails patches of them.
	return { commit: origin, path: name.startsWith('"') ? path : name, text: (behind('\t') ?? '').replace(/\r$/, '') };
}

async function committed(git: HardenedGit, root: string, commit: string, signal: AbortSignal) {
	const output = (await outputOf(git, root, gitCommands.patch(commit), signal)).toString('utf8');
	const end = output.indexOf('\0');
	const [author = '', authored = '', committed = '', ...lines] = output.slice(0, end).split('\n');
	const message = lines.join('\n').trim();
	const [subject = ''] = message.split(/\n\s*\n/, 1);
	return {
		commit,
		author,
		authoredMs: Number(authored) * 1000,
		committedMs: Number(committed) * 1000,
		subject: subject.replaceAll(/\s+/g, ' '),
		message,
		diff: output.slice(end + 1).trimStart(),
	};
}
