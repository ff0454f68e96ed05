import { subjectPlace } from 'patchmail/series/subjectPlace.ts';
import type { PatchFacts } from './committedLine.ts';

/** A mail of a list, without its text. */
export interface ListedMail {
	/** With angle brackets. */
	readonly messageId: string;
	readonly subject: string;
	readonly createdMs: number;
}

/** The mails about a line, in one thread. */
export interface LineThread<M> {
	/** The version in which the line took its form: the one before differs, and later ones do not. Else the nearest mail. */
	readonly mail: M;
	/** The last version with the line. */
	readonly last: M;
	/** False if no mail has the line as it is: a maintainer changed it. */
	readonly hasLine: boolean;
}

/** A thread, with the comparisons so far. */
export interface ReadThread<M> {
	/** Message-IDs of all mails. */
	readonly names: ReadonlySet<string>;
	/** Patches, by their subjects. */
	readonly patches: readonly M[];
	/** `undefined` for a mail without a diff. */
	readonly compared: Map<M, PatchFacts | undefined>;
	/** The mail that the commit names, if the thread has it. */
	readonly stated: M | undefined;
}

/** A patch that may be that of the line. */
export interface Candidate<M> {
	readonly thread: ReadThread<M>;
	readonly mail: M;
	readonly version: number;
	readonly isSame: boolean;
	readonly adds: boolean;
}

interface Version<M> {
	readonly version: number;
	/** Patches of this version with the line. */
	readonly withLine: readonly Candidate<M>[];
}

export function versionOf({ subject }: ListedMail): number {
	return subjectPlace(subject)?.version ?? 1;
}

/** The nearest one in time. Git takes the date of a mail for its commit. */
export function nearestTo<M extends ListedMail>(ms: number, mails: readonly M[]): M | undefined {
	const distance = ({ createdMs }: M): number => Math.abs(createdMs - ms);
	return mails.toSorted((one, other) => distance(one) - distance(other))[0];
}

/** The versions with the line, from the one in which it took its form to the last one. */
export function versionsWithLine<M>(candidates: readonly Candidate<M>[]): readonly Version<M>[] {
	// The same patch decides; others may add an equal line elsewhere.
	const isInSame = candidates.some(({ isSame, adds }) => isSame && adds);
	const versions = Array.from(Map.groupBy(candidates, ({ version }) => version))
		.map(([version, all]): Version<M> => {
			const same = isInSame ? all.filter(({ isSame }) => isSame) : [];
			return { version, withLine: (same.length > 0 ? same : all).filter(({ adds }) => adds) };
		})
		.toSorted((one, other) => one.version - other.version);
	const last = versions.findLastIndex(({ withLine }) => withLine.length > 0);
	const before = versions.findLastIndex(({ withLine }, at) => at < last && withLine.length === 0);
	return versions.slice(before + 1, last + 1);
}

/** One for each thread, those with the line first. */
export function rankedThreads<M extends ListedMail>(
	threads: readonly ReadThread<M>[],
	candidates: readonly Candidate<M>[],
	authoredMs: number,
): readonly LineThread<M>[] {
	const versions = versionsWithLine(candidates);
	const nearest = (among: readonly Candidate<M>[] = []): M | undefined =>
		nearestTo(
			authoredMs,
			among.map(({ mail }) => mail),
		);
	const [form, last] = [nearest(versions[0]?.withLine), nearest(versions.at(-1)?.withLine)];
	const best: readonly LineThread<M>[] = form && last ? [{ mail: form, last, hasLine: true }] : [];
	const others = threads.flatMap((thread): readonly LineThread<M>[] => {
		const own = candidates.filter((each) => each.thread === thread);
		const withLine = own.filter(({ adds }) => adds);
		const mail = nearest(withLine.length > 0 ? withLine : own) ?? thread.stated;
		return mail === undefined || (form && thread.names.has(form.messageId))
			? []
			: [{ mail, last: mail, hasLine: withLine.length > 0 }];
	});
	return [...best, ...others.toSorted((one, other) => Number(other.hasLine) - Number(one.hasLine))];
}
