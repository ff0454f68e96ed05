import { patchSubject } from '../forge/patchSubject.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import type { PatchMail } from './seriesReading.ts';

/** A commit that is going to be sent. */
export interface CheckedCommit {
	readonly id: string;
	readonly parents: readonly string[];
	readonly subject: string;
	readonly message: string;
}

/** A commit as it would be sent. */
export interface CheckedPatch {
	/** Id of the commit. */
	readonly commit: string;
	/** Subject of the mail; `undefined` where the commit can't be sent as text. */
	readonly subject: string | undefined;
	readonly patch: PatchMail | undefined;
}

/** Something that the sender of a series would want to know before it goes out. */
export type SendProblem =
	/** Its text has signs that mails do not keep: carriage returns, other control characters, or no UTF-8. */
	| { readonly kind: 'unsendable'; readonly subject: string }
	| { readonly kind: 'missingPatch'; readonly index: number; readonly count: number }
	| { readonly kind: 'wrongOrder' }
	/** The cover letter has a diff that is not quoted: forges and git take that for a patch. */
	| { readonly kind: 'patchInCover' }
	| { readonly kind: 'merge'; readonly subject: string }
	/** The commit changes nothing, so there is no patch of it. */
	| { readonly kind: 'empty'; readonly subject: string }
	| { readonly kind: 'uncommitted'; readonly files: number }
	| { readonly kind: 'longSubject'; readonly subject: string }
	| { readonly kind: 'noSignOff'; readonly subject: string }
	/** Added lines of a file end in blanks. */
	| { readonly kind: 'trailingBlanks'; readonly subject: string; readonly path: string; readonly lines: number };

/** True for what keeps a series from being sent at all. */
export function isBlocking({ kind }: SendProblem): boolean {
	return kind === 'unsendable' || kind === 'missingPatch' || kind === 'wrongOrder';
}

export interface SeriesToCheck {
	/** The text of the cover letter, where there is one. */
	readonly cover: string | undefined;
	/** Oldest first. */
	readonly commits: readonly CheckedCommit[];
	/** In the order in which they go out. */
	readonly patches: readonly CheckedPatch[];
	/** Messages of commits before these. */
	readonly history: readonly string[];
	/** Files with changes that no commit has. */
	readonly uncommitted: number;
}

/** Lists and logs show no more of a subject. */
const longestSubject = 72;
const signOff = /^Signed-off-by: \S/m;

/** What is wrong with a series before it is sent, what keeps it from being sent first. */
export function sendProblems(series: SeriesToCheck): readonly SendProblem[] {
	const { cover, commits, patches, uncommitted } = series;
	const found: readonly SendProblem[] = [
		...patches.flatMap(({ commit, subject }) =>
			subject === undefined ? [{ kind: 'unsendable', subject: subjectOf(commits, commit) } as const] : [],
		),
		...placeProblems(patches),
		...(cover === undefined || parseDiff(cover).files.length === 0 ? [] : [{ kind: 'patchInCover' } as const]),
		...leftOut(series),
		...(uncommitted === 0 ? [] : [{ kind: 'uncommitted', files: uncommitted } as const]),
		...commits.flatMap(({ subject }) =>
			subject.length > longestSubject ? [{ kind: 'longSubject', subject } as const] : [],
		),
		...missingSignOffs(series),
		...patches.flatMap(({ commit, patch }) => (patch ? trailingBlanks(subjectOf(commits, commit), patch) : [])),
	];
	return found.toSorted((one, other) => Number(isBlocking(other)) - Number(isBlocking(one)));
}

function subjectOf(commits: readonly CheckedCommit[], id: string): string {
	return commits.find((commit) => commit.id === id)?.subject ?? id.slice(0, 10);
}

/** The numbers of the subjects, as everybody reads them. */
function placeProblems(patches: readonly CheckedPatch[]): readonly SendProblem[] {
	const places = patches.flatMap(({ subject }) => (subject === undefined ? [] : (patchSubject(subject) ?? [])));
	const readable = patches.filter(({ subject }) => subject !== undefined).length;
	const there = new Set(places.map(({ index }) => index));
	const count = Math.max(patches.length, ...places.map((place) => place.count));
	const missing =
		readable < patches.length ? [] : Array.from({ length: count }, (_, at) => at + 1).filter((at) => !there.has(at));
	const isInOrder = places.every(({ index }, at) => index > (places[at - 1]?.index ?? 0));
	return [
		...missing.map((index) => ({ kind: 'missingPatch', index, count }) as const),
		...(isInOrder ? [] : [{ kind: 'wrongOrder' } as const]),
	];
}

/** Commits of which there is no patch. */
function leftOut({ commits, patches }: SeriesToCheck): readonly SendProblem[] {
	const sent = new Set(patches.map(({ commit }) => commit));
	return commits
		.filter(({ id }) => !sent.has(id))
		.map(({ parents, subject }) => ({ kind: parents.length > 1 ? 'merge' : 'empty', subject }) as const);
}

/** Where most commits before these are signed off, or another of these is. */
function missingSignOffs({ commits, history }: SeriesToCheck): readonly SendProblem[] {
	const own = commits.filter(({ parents }) => parents.length < 2);
	const unsigned = own.filter(({ message }) => !signOff.test(message));
	const isUsual = history.filter((message) => signOff.test(message)).length * 2 > history.length;
	return isUsual || unsigned.length < own.length
		? unsigned.map(({ subject }) => ({ kind: 'noSignOff', subject }) as const)
		: [];
}

function trailingBlanks(subject: string, { diff, diffText }: PatchMail): readonly SendProblem[] {
	return diff.files.flatMap(({ newPath: path, content }) => {
		const hunks = content.kind === 'text' ? content.hunks : [];
		let lines = 0;
		for (const hunk of hunks) {
			for (const { kind, text } of hunkLines(diffText, hunk)) {
				lines += Number(kind === 'added' && /[ \t]$/.test(text));
			}
		}
		return path === undefined || lines === 0 ? [] : [{ kind: 'trailingBlanks', subject, path, lines } as const];
	});
}
