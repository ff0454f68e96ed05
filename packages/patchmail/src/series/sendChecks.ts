import { maxOf } from '@forge-desk/base/longArrays.ts';
import { patchSubject } from './patchSubject.ts';
import { hunkLines } from '../patch/hunkLines.ts';
import { parseDiff } from '../patch/parseDiff.ts';
import type { GivenTrailer, PatchMail } from './seriesReading.ts';

export interface CheckedCommit {
	readonly id: string;
	readonly parents: readonly string[];
	readonly subject: string;
	/** With the trailers that its mail adds. */
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
	/** Readers of its mail would see another patch. */
	| { readonly kind: 'unsendable'; readonly subject: string }
	| { readonly kind: 'missingPatch'; readonly index: number; readonly count: number }
	| { readonly kind: 'wrongOrder' }
	/** The cover letter contains an unquoted diff. Forges and git would take it for a patch. */
	| { readonly kind: 'patchInCover' }
	/** The cover letter still has the generated heading for changes since this version, and no text below. */
	| { readonly kind: 'unwrittenChanges'; readonly version: number }
	/** Git makes a commit with another title, message or date of the mail: it ends a message at `---` and at a diff. */
	| { readonly kind: 'otherMessage'; readonly subject: string }
	/** A `From:` line at the head of the message names another author. */
	| { readonly kind: 'otherAuthor'; readonly subject: string; readonly author: string }
	/** Git does not apply the patch on top of the ones before it. `path`: of the file, or of one of its files. */
	| { readonly kind: 'stops'; readonly subject: string; readonly path: string }
	/** Git makes another file of the patch than the commit has. */
	| { readonly kind: 'otherFile'; readonly subject: string; readonly path: string }
	/** Git makes other files of the patches than the branch, where merges may have changes. */
	| { readonly kind: 'mergedFiles' }
	/** It is not known whether the patches apply. */
	| { readonly kind: 'untried' }
	/** No remote branch has the base. `isNamed`: the mails name a commit that one has, and the patches between. */
	| { readonly kind: 'unpublishedBase'; readonly commits: number; readonly isNamed: boolean }
	/** No mail of the list, commit or trailer has it. */
	| { readonly kind: 'unknownAddress'; readonly address: string }
	/** A command in git's settings that would add to the mails. */
	| { readonly kind: 'commandNotRun'; readonly setting: string; readonly field: 'to' | 'cc' | 'header' }
	/** Its person gave it to other changes, or in no known mail. */
	| { readonly kind: 'trailer'; readonly trailer: GivenTrailer }
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
	return (
		kind === 'unsendable' ||
		kind === 'missingPatch' ||
		kind === 'wrongOrder' ||
		kind === 'unwrittenChanges' ||
		kind === 'otherFile'
	);
}

/** True for other commits than those of the branch, and if git failed. */
export function isOfTrial({ kind }: SendProblem): boolean {
	return (
		kind === 'stops' ||
		kind === 'otherFile' ||
		kind === 'mergedFiles' ||
		kind === 'otherMessage' ||
		kind === 'otherAuthor' ||
		kind === 'untried'
	);
}

/** In a cover letter; English, like the rest of a mailing list. */
export function changesHeading(version: number): string {
	return `Changes since v${version}:`;
}

/** Versions whose heading in a cover letter has only empty items below. */
function unwrittenChanges(cover: string): readonly number[] {
	const lines = cover.split('\n').map((line) => line.trimEnd());
	return lines.flatMap((line, at) => {
		const [, version] = /^Changes since v(\d{1,6}):$/.exec(line) ?? [];
		const next = lines.slice(at + 1).find((each) => !/^\s*-?$/.test(each));
		const isEmpty = next === undefined || /^-$/m.test(lines[at + 1] ?? '') || /^(?:Changes since v|  1\. )/.test(next);
		return version !== undefined && isEmpty ? [Number(version)] : [];
	});
}

export interface SeriesToCheck {
	/** Text of the cover letter, if any. */
	readonly cover: string | undefined;
	readonly commits: readonly CheckedCommit[];
	/** In sending order. */
	readonly patches: readonly CheckedPatch[];
	/** Problems that other parts of the program found. */
	readonly others: readonly SendProblem[];
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
	const { cover, commits, patches, others, uncommitted, history } = series;
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
	const problems: readonly SendProblem[] = [
		...patches.flatMap(({ commit, subject }) =>
			subject === undefined ? [{ kind: 'unsendable', subject: subjectOf(commits, commit) } as const] : [],
		),
		...missing.map((index) => ({ kind: 'missingPatch', index, count }) as const),
		...(isInOrder ? [] : [{ kind: 'wrongOrder' } as const]),
		...unwrittenChanges(cover ?? '').map((version) => ({ kind: 'unwrittenChanges', version }) as const),
		...others,
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
	return [...problems.filter(isBlocking), ...problems.filter((problem) => !isBlocking(problem))];
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
