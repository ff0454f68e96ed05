import { maxOf, minOf } from '@forge-desk/base/longArrays.ts';
import type { FormedFacts } from './listedPatchset.ts';
import { isFixup } from './subjectPlace.ts';
import { setThread, type SetMail, type SetThread } from './setParts.ts';
import { isCertainSender } from './setText.ts';
import { roundsIn, type SetRound } from './setRounds.ts';
import { hasStageWord, versionTitle } from './versions.ts';

/** Patches that were sent together, or the newest patch of each number where only some were sent again. */
export interface MailSet<M extends SetMail> {
	readonly sender: string;
	/** Title of the cover letter, else of the first patch. */
	readonly subject: string;
	readonly prefix: string;
	readonly version: number;
	/** Announced number of patches. */
	readonly count: number;
	readonly cover: M | undefined;
	/** By index. */
	readonly patches: readonly PatchInSet<M>[];
	/** Mails of patches sent again. */
	readonly replaced: readonly { readonly mail: M; readonly index: number }[];
	/** Mails that this set sent, in that order. */
	readonly own: readonly M[];
	readonly isComplete: boolean;
	/** Patchset of the server with these mails. */
	readonly serverId: number | undefined;
	/** The first version; `undefined` for a first version, and for a set beside the others. */
	readonly of: MailSet<M> | undefined;
	/** The sender of the thread's first set did not send this one. */
	readonly isByOther: boolean;
	/** The newer complete set with the same number. */
	readonly repeatedBy: () => MailSet<M> | undefined;
	/** Patchsets of the server with only some of these mails, perhaps beside those of other people. */
	readonly partsOfServer: () => readonly number[];
	/** Patchsets of the server that are later versions of this one. */
	readonly versionsOfServer: () => readonly number[];
}

interface PatchInSet<M extends SetMail> {
	readonly mail: M;
	readonly index: number;
	/** Version of the earlier set that sent a kept patch. */
	readonly keptFrom: number | undefined;
}

interface Known<M extends SetMail> {
	/** Patchset of the server for a mail, where its mails state none. */
	readonly anchorOf?: (mail: M) => number | undefined;
	/** Names of the sender of the server patchset. */
	readonly submitter?: readonly string[];
	/** Names of people whose versions of others' patches count as such. */
	readonly maintainers?: readonly string[];
	/** The rest of a newer partial set may still arrive. */
	readonly settledMs?: number;
}

/**
 * All sets of patches in a thread, in the order of sending, also parts of a set that is whole elsewhere. Nobody's mail
 * joins a set of another sender. A set that sends only some patches again keeps the others of the set before. Takes
 * linear time.
 */
export function setsAmong<M extends SetMail>(
	mails: readonly M[],
	{ anchorOf = () => undefined, submitter = [], maintainers = [], settledMs = Number.POSITIVE_INFINITY }: Known<M> = {},
): readonly MailSet<M>[] {
	const thread = setThread(mails, submitter);
	const sets: MailSet<M>[] = [];
	const rounds = roundsIn(thread, anchorOf);
	const known = new KnownSets<M>(thread, firstSenders(rounds, thread, submitter));
	for (const round of rounds) {
		const before = isArriving(round, settledMs) ? undefined : known.before(round);
		const set = setOf(round, before, known, new Set(maintainers));
		sets.push(set);
		known.add(set);
	}
	return sets;
}

/** Without parts of versions that are whole elsewhere. */
export function withoutParts<M extends SetMail>(sets: readonly MailSet<M>[]): readonly MailSet<M>[] {
	const whole = new Map<string, MailSet<M>>();
	for (const set of sets) {
		const before = whole.get(numberOf(set));
		if (!before || (!before.isComplete && set.patches.length > before.patches.length)) {
			whole.set(numberOf(set), set);
		}
	}
	return sets.filter((set) => set.isComplete || set.serverId !== undefined || whole.get(numberOf(set)) === set);
}

/** Facts for a patchset. `idOf`: number of a set as a patchset. */
export function formedFacts<M extends SetMail>(
	{ sender, patches, isComplete, isByOther, repeatedBy, partsOfServer, versionsOfServer }: MailSet<M>,
	threadPatchsetId: number | undefined,
	idOf: (set: MailSet<M>) => number,
): FormedFacts {
	const kept = patches.flatMap(({ index, keptFrom }) => (keptFrom === undefined ? [] : [{ index, version: keptFrom }]));
	const repeated = repeatedBy();
	const isSenderCertain = isCertainSender(sender);
	const repeatedById = repeated && idOf(repeated);
	const ofServer = [...partsOfServer(), ...versionsOfServer()];
	return { threadPatchsetId, kept, isComplete, isByOther, isSenderCertain, repeatedById, ofServer };
}

/**
 * The senders that the others are compared with: of the thread's first mail if that is a patch or cover letter, else of
 * the server's patchset, else of the first patch to arrive. Anyone can write an early date, so dates do not decide.
 */
function firstSenders<M extends SetMail>(
	rounds: readonly SetRound<M>[],
	{ first, part, senderOf }: SetThread<M>,
	submitter: readonly string[],
): ReadonlySet<string> {
	const mailsOf = ({ cover, patches }: SetRound<M>): readonly M[] =>
		[cover, ...patches.values()].filter((mail) => mail !== undefined);
	const arrivedMs = (round: SetRound<M>): number => minOf(mailsOf(round).map((mail) => mail.arrivedMs));
	const top = part(first?.id)?.sender ?? rounds.find(({ cover }) => cover !== undefined && cover === first)?.sender;
	if (top !== undefined && top !== '') {
		return new Set([top]);
	}
	const ofServer = rounds.find(({ serverId }) => serverId !== undefined);
	const base = ofServer ?? rounds.toSorted((one, other) => arrivedMs(one) - arrivedMs(other))[0];
	const further = base === ofServer ? submitter.map((name) => senderOf([name])) : [];
	return new Set([...(base ? [base.sender] : []), ...further].filter((sender) => sender !== ''));
}

function numberOf<M extends SetMail>({ sender, version, of, own }: MailSet<M>): string {
	return `${version} ${(of?.own ?? own)[0]?.id} ${sender}`;
}

function isArriving<M extends SetMail>({ patches }: SetRound<M>, settledMs: number): boolean {
	return maxOf(Array.from(patches.values(), ({ createdMs }) => createdMs)) > settledMs;
}

function setOf<M extends SetMail>(
	round: SetRound<M>,
	before: MailSet<M> | undefined,
	known: KnownSets<M>,
	maintainers: ReadonlySet<string>,
): MailSet<M> {
	const { sender, count, cover, serverId, prefix, replaced } = round;
	const sent = Array.from(round.patches, ([index, mail]) => ({ mail, index, keptFrom: undefined }));
	const kept = (before?.patches ?? [])
		.filter(({ index }) => !round.patches.has(index))
		.map((patch) => ({ ...patch, keptFrom: patch.keptFrom ?? before?.version }));
	const patches = [...sent, ...kept].toSorted((one, other) => one.index - other.index);
	const own = [cover, ...round.patches.values()]
		.filter((mail) => mail !== undefined)
		.toSorted((one, other) => known.place(one) - known.place(other));
	const isComplete = serverId !== undefined || patches.length >= count;
	const isOfOther = !known.isFirstSender(sender);
	const isByOther = serverId === undefined && isOfOther;
	const related = before ?? relatedTo(round, own, known);
	const first = related?.of ?? related;
	const isOfFirst = isByOther && isComplete && known.isOfFirst(round, maintainers);
	const of = !isOfOther || isOfFirst ? first : undefined;
	const set: MailSet<M> = {
		sender,
		subject: known.shownTitle(cover ?? patches[0]?.mail),
		prefix,
		version: round.isVersioned || !first ? round.version : known.lastVersion(first),
		count,
		cover,
		patches,
		replaced,
		own,
		isComplete,
		serverId,
		of,
		isByOther,
		repeatedBy: () => known.repeatOf(set),
		partsOfServer: () => known.partsOfServer(set),
		versionsOfServer: () => known.versionsOfServer(set),
	};
	return set;
}

/** The earlier version of a round. A part beyond the count and a fixup have none. */
function relatedTo<M extends SetMail>(
	round: SetRound<M>,
	own: readonly M[],
	known: KnownSets<M>,
): MailSet<M> | undefined {
	const [[index, mail] = [0, undefined]] = round.patches;
	const isBeside = round.patches.size === 1 && mail !== undefined && (index > round.count || isFixup(mail.subject));
	return isBeside || round.isMixed
		? undefined
		: known.related(
				round,
				own.map((each) => known.titleOf(each)),
			);
}

/** Sets to look at for one that is incomplete. */
const mostBefore = 20;
const mostAncestors = 50;

/** The sets so far, and the ways from a mail to them. */
class KnownSets<M extends SetMail> {
	readonly #thread: SetThread<M>;
	readonly #firstSenders: ReadonlySet<string>;
	#first: MailSet<M> | undefined;
	/** By sender and title, and by title. The newest wins. */
	readonly #byTitle = new Map<string, MailSet<M>>();
	readonly #byMail = new Map<number, MailSet<M>>();
	/** Complete sets by sender and count, in the order of sending. */
	readonly #complete = new Map<string, MailSet<M>[]>();
	readonly #versions = new Map<MailSet<M>, number>();
	/** Patchsets of the server by patch. */
	readonly #ofServer = new Map<M, number>();
	/** Patchsets of the server by the first version. */
	readonly #versionsOfServer = new Map<MailSet<M>, readonly number[]>();
	/** Newest complete set by number. */
	readonly #newest = new Map<string, MailSet<M>>();

	constructor(thread: SetThread<M>, senders: ReadonlySet<string>) {
		this.#thread = thread;
		this.#firstSenders = senders;
	}

	add(set: MailSet<M>): void {
		const { sender, own, count } = set;
		if (this.isFirstSender(sender)) {
			this.#first ??= set;
		}
		own.forEach((mail) => this.#byMail.set(mail.id, set));
		own.forEach((mail) => this.#byTitle.set(`${sender} ${this.titleOf(mail)}`, set));
		if (set.serverId !== undefined) {
			for (const { mail } of set.patches) {
				this.#ofServer.set(mail, set.serverId);
			}
			if (set.of) {
				this.#versionsOfServer.set(set.of, [...(this.#versionsOfServer.get(set.of) ?? []), set.serverId]);
			}
		}
		const of = set.of ?? set;
		this.#versions.set(of, Math.max(set.version, this.#versions.get(of) ?? 0));
		if (set.isComplete) {
			const key = `${sender} ${count}`;
			this.#complete.set(key, [...(this.#complete.get(key) ?? []).slice(1 - mostBefore), set]);
			const newest = this.#newest.get(this.#numberOf(set));
			if (!newest || this.place(newest.own[0]) < this.place(own[0])) {
				this.#newest.set(this.#numberOf(set), set);
			}
		}
	}

	#numberOf({ sender, version, of, own, isByOther }: MailSet<M>): string {
		return `${version} ${(of?.own ?? own)[0]?.id} ${isByOther ? sender : ''}`;
	}

	repeatOf(set: MailSet<M>): MailSet<M> | undefined {
		const newest = this.#newest.get(this.#numberOf(set));
		return newest === set ? undefined : newest;
	}

	partsOfServer({ serverId, own }: MailSet<M>): readonly number[] {
		const found = new Set(own.flatMap((mail) => this.#ofServer.get(mail) ?? []));
		return serverId === undefined ? [...found] : [];
	}

	versionsOfServer(set: MailSet<M>): readonly number[] {
		return set.serverId === undefined ? (this.#versionsOfServer.get(set) ?? []) : [];
	}

	place(mail: M | undefined): number {
		return this.#thread.place(mail);
	}

	isFirstSender(sender: string): boolean {
		return this.#firstSenders.has(sender);
	}

	lastVersion(of: MailSet<M>): number {
		return this.#versions.get(of) ?? of.version;
	}

	titleOf(mail: M): string {
		return versionTitle(this.shownTitle(mail));
	}

	shownTitle(mail: M | undefined): string {
		const part = this.#thread.part(mail?.id);
		return part?.place.subject ?? (mail?.subject ?? '').trim().replace(/^(?:\[[^\]]{0,300}\]\s*){1,8}(?=\S)/, '');
	}

	/**
	 * The complete set behind a partial re-roll. Each patch of the round has the title of the replaced patch, or is a
	 * reply below it. A cover letter of its own announces all patches.
	 */
	before(round: SetRound<M>): MailSet<M> | undefined {
		const { sender, count, patches, cover, version, isVersioned, serverId } = round;
		if (cover || serverId !== undefined || patches.size >= count) {
			return undefined;
		}
		const [first] = patches.values();
		const replaces = (set: MailSet<M>): boolean =>
			Array.from(patches).every(([index, mail]) => {
				const old = set.patches.find((each) => each.index === index)?.mail;
				return (
					old !== undefined && (this.titleOf(old) === this.titleOf(mail) || this.#isBelow(mail, index, sender, count))
				);
			});
		return (this.#complete.get(`${sender} ${count}`) ?? [])
			.filter((set) => (!isVersioned || set.version <= version) && this.place(first) > this.place(set.own[0]))
			.toSorted((one, other) => one.version - other.version)
			.findLast(replaces);
	}

	/** True for a mail below a patch of this number in an earlier version. */
	#isBelow(mail: M, index: number, sender: string, count: number): boolean {
		return this.#ancestors(mail).some((above) => {
			const set = this.#byMail.get(above.id);
			return (
				set?.sender === sender &&
				set.count === count &&
				set.patches.some((each) => each.index === index && each.mail === above)
			);
		});
	}

	#ancestors(mail: M): readonly M[] {
		const found: M[] = [];
		let above = this.#thread.mail(mail.parentId);
		while (above && found.length < mostAncestors && above !== mail) {
			found.push(above);
			above = this.#thread.mail(above.parentId);
		}
		return found;
	}

	/**
	 * An earlier version of a round: a set with an equal title, else for a higher number or a word such as
	 * `rebased` the nearest one above.
	 */
	related(
		{ sender, version, isVersioned, prefix, patches }: SetRound<M>,
		titles: readonly string[],
	): MailSet<M> | undefined {
		const senders = this.isFirstSender(sender) ? [...this.#firstSenders] : [sender, ...this.#firstSenders];
		const alike = senders.flatMap((one) => titles.flatMap((title) => this.#byTitle.get(`${one} ${title}`) ?? []))[0];
		if (alike || !this.#first || !((isVersioned && version > 1) || hasStageWord(prefix))) {
			return alike;
		}
		const [mail] = patches.values();
		const above = mail && this.#ancestors(mail).map(({ id }) => this.#byMail.get(id));
		const near = above?.find((set) => set && (set.sender === sender || this.isFirstSender(set.sender))) ?? this.#first;
		return (near.of ?? near).version < version || hasStageWord(prefix) ? near : undefined;
	}

	/** True for patches that the sender of the first set wrote, and for those of a maintainer. */
	isOfFirst({ patches, sender }: SetRound<M>, maintainers: ReadonlySet<string>): boolean {
		const authors = Array.from(patches.values(), ({ author }) => author);
		const isOfMaintainer = [...maintainers].some((name) => this.#thread.senderOf([name]) === sender);
		return (
			isOfMaintainer ||
			authors.every(
				(author) => author !== undefined && this.#firstSenders.has(this.#thread.senderOf([author.toLowerCase()])),
			)
		);
	}
}
