import { maxOf } from '@forge-desk/base/longArrays.ts';
import { patchSubject } from './patchSubject.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import type { PatchMail } from './seriesReading.ts';

export interface CheckedCommit {
	readonly id: string;
	readonly parents: readonly string[];
	readonly subject: string;
	readonly message: string;
}

export interface CheckedPatch {
	readonly commit: string;
	/** `undefined` for a commit that text cannot represent. */
	readonly subject: string | undefined;
	readonly patch: PatchMail | undefined;
}

/** A problem that a sender would want to know before sending. */
export type SendProblem =
	/** Contains characters that mails lose: carriage returns, control characters, or bytes outside UTF-8. */
	| { readonly kind: 'unsendable'; readonly subject: string }
	| { readonly kind: 'missingPatch'; readonly index: number; readonly count: number }
	| { readonly kind: 'wrongOrder' }
	/** The cover letter contains an unquoted diff. Forges and git would take it for a patch. */
	| { readonly kind: 'patchInCover' }
	| { readonly kind: 'merge'; readonly subject: string }
	/** An empty commit has no patch. */
	| { readonly kind: 'empty'; readonly subject: string }
	| { readonly kind: 'uncommitted'; readonly files: number }
	| { readonly kind: 'longSubject'; readonly subject: string }
	| { readonly kind: 'noSignOff'; readonly subject: string }
	/** Added lines with trailing blanks. */
	| { readonly kind: 'trailingBlanks'; readonly subject: string; readonly path: string; readonly lines: number };

/** True if the problem prevents sending. */
export function isBlocking({ kind }: SendProblem): boolean {
	return kind === 'unsendable' || kind === 'missingPatch' || kind === 'wrongOrder';
}

export interface SeriesToCheck {
	/** Text of the cover letter, if any. */
	readonly cover: string | undefined;
	readonly commits: readonly CheckedCommit[];
	/** In sending order. */
	readonly patches: readonly CheckedPatch[];
	/** Messages of earlier commits. */
	readonly history: readonly string[];
	/** Number of files with uncommitted changes. */
	readonly uncommitted: number;
}

/** Longer subjects do not fit into lists and logs. */
const longestSubject = 72;
const signOff = /^Signed-off-by: \S/m;

/** Problems of a series before sending, blocking ones first. */
export function sendProblems(series: SeriesToCheck): readonly SendProblem[] {
	const { cover, commits, patches, uncommitted, history } = series;
	const places = patches.flatMap(({ subject }) => (subject === undefined ? [] : (patchSubject(subject) ?? [])));
	const readable = patches.filter(({ subject }) => subject !== undefined).length;
	const there = new Set(places.map(({ index }) => index));
	const count = maxOf([patches.length, ...places.map((place) => place.count)]);
	const missing =
		readable < patches.length ? [] : Array.from({ length: count }, (_, at) => at + 1).filter((at) => !there.has(at));
	const isInOrder = places.every(({ index }, at) => index > (places[at - 1]?.index ?? 0));
	const sent = new Set(patches.map(({ commit }) => commit));
	const own = commits.filter(({ parents }) => parents.length < 2);
	const unsigned = own.filter(({ message }) => !signOff.test(message));
	// Requires sign-offs if most earlier commits or another commit of the series have one.
	const isUsual = history.filter((message) => signOff.test(message)).length * 2 > history.length;
	return [
		...patches.flatMap(({ commit, subject }) =>
			subject === undefined ? [{ kind: 'unsendable', subject: subjectOf(commits, commit) } as const] : [],
		),
		...missing.map((index) => ({ kind: 'missingPatch', index, count }) as const),
		...(isInOrder ? [] : [{ kind: 'wrongOrder' } as const]),
		...(cover === undefined || parseDiff(cover).files.length === 0 ? [] : [{ kind: 'patchInCover' } as const]),
		...commits
			.filter(({ id }) => !sent.has(id))
			.map(({ parents, subject }) => ({ kind: parents.length > 1 ? 'merge' : 'empty', subject }) as const),
		...(uncommitted === 0 ? [] : [{ kind: 'uncommitted', files: uncommitted } as const]),
		...commits.flatMap(({ subject }) =>
			subject.length > longestSubject ? [{ kind: 'longSubject', subject } as const] : [],
		),
		...(isUsual || unsigned.length < own.length
			? unsigned.map(({ subject }) => ({ kind: 'noSignOff', subject }) as const)
			: []),
		...patches.flatMap(({ commit, patch }) => (patch ? trailingBlanks(subjectOf(commits, commit), patch) : [])),
	];
}

function subjectOf(commits: readonly CheckedCommit[], id: string): string {
	return commits.find((commit) => commit.id === id)?.subject ?? id.slice(0, 10);
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
