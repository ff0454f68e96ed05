import { minOf } from '@forge-desk/base/longArrays.ts';
import type { SetMail, SetPart, SetThread } from './setParts.ts';
import { subjectOfThread } from './patchSubject.ts';
import { versionTitle } from './versions.ts';

/** Patches that one person sent together, perhaps only some of those that they announce. */
export interface SetRound<M extends SetMail> {
	readonly sender: string;
	/** Differs from `sender` for a patchset of the server, which may have several. */
	readonly senders: Set<string>;
	readonly version: number;
	readonly isVersioned: boolean;
	readonly prefix: string;
	readonly count: number;
	readonly isNumbered: boolean;
	/** By index. */
	readonly patches: Map<number, M>;
	cover: M | undefined;
	serverId: number | undefined;
}

/** Rounds of one number to look at for a patch. More are a flood. */
const mostOpen = 8;
/** Between the patches of a series without numbers. */
const mostBetweenMs = 3_600_000;
/** The same if nothing announces them: only a program sends mails that fast. */
const mostInOneRunMs = 30_000;

/**
 * Groups the parts of a thread into rounds, those of the server first, then by arrival. A repeated index begins another
 * round, and so does another sender.
 */
export function roundsIn<M extends SetMail>(
	thread: SetThread<M>,
	anchorOf: (mail: M) => number | undefined,
): readonly SetRound<M>[] {
	const rounds = new Rounds<M>();
	const unnumbered = unnumberedSeries(thread);
	for (const part of thread.parts) {
		const anchor = part.mail.patchsetId ?? anchorOf(part.mail);
		if (
			(part.sender !== '' || part.mail.patchsetId !== undefined) &&
			(anchor !== undefined || !unnumbered.has(part.mail.id))
		) {
			rounds.add(part, anchor);
		}
	}
	const all = [...merged(rounds.all), ...new Set(unnumbered.values())].filter(
		({ patches, serverId }) => patches.size > 0 || serverId !== undefined,
	);
	coversByPlace(all, thread);
	const firstOf = ({ cover, patches }: SetRound<M>): number =>
		minOf([cover, ...patches.values()].map((mail) => thread.arrival(mail)));
	return all.toSorted(
		(one, other) =>
			Number(one.serverId === undefined) - Number(other.serverId === undefined) || firstOf(one) - firstOf(other),
	);
}

/**
 * Joins two incomplete rounds that make one complete series. A patch that arrived before its cover letter began a round
 * of its own.
 */
function merged<M extends SetMail>(rounds: readonly SetRound<M>[]): readonly SetRound<M>[] {
	const lacking = rounds.filter(({ patches, count, serverId }) => serverId === undefined && patches.size < count);
	const gone = new Set<SetRound<M>>();
	const keyOf = ({ sender, version, count, prefix }: SetRound<M>): string =>
		JSON.stringify([sender, version, count, prefix.toLowerCase()]);
	for (const [one, other, third] of Map.groupBy(lacking, keyOf).values()) {
		const isPair =
			one !== undefined &&
			other !== undefined &&
			third === undefined &&
			one.patches.size + other.patches.size === one.count &&
			(one.cover === undefined || other.cover === undefined);
		if (isPair && ![...other.patches.keys()].some((index) => one.patches.has(index))) {
			other.patches.forEach((mail, index) => one.patches.set(index, mail));
			one.cover ??= other.cover;
			gone.add(other);
		}
	}
	return rounds.filter((round) => !gone.has(round));
}

/** The rounds so far, and the ways from a part to its round. */
class Rounds<M extends SetMail> {
	readonly all: SetRound<M>[] = [];
	/** Those that may still grow, by sender, version and count. */
	readonly #open = new Map<string, readonly SetRound<M>[]>();
	readonly #byServer = new Map<number, SetRound<M>>();
	readonly #byMail = new Map<number, SetRound<M>>();
	/** By the mail above the patches. */
	readonly #byParent = new Map<string, SetRound<M>>();

	/** `anchor`: patchset of the server, if the server or a likeness says so. */
	add(part: SetPart<M>, anchor: number | undefined): void {
		const { mail, place, sender, version } = part;
		// Anyone can repeat the title of a patchset.
		const serverId = mail.patchsetId ?? (anchor !== undefined && this.#byServer.has(anchor) ? undefined : anchor);
		const key = JSON.stringify([sender, version, place.count, place.isNumbered]);
		const isBeyond = place.index > place.count;
		const known =
			(mail.patchsetId === undefined ? undefined : this.#byServer.get(mail.patchsetId)) ??
			(isBeyond || !place.isNumbered ? undefined : this.#roundFor(part, key, serverId));
		const round = known ?? newRound(part, isBeyond ? 1 : place.count);
		if (!known) {
			this.all.push(round);
		}
		if (!known && !isBeyond) {
			this.#open.set(key, [...(this.#open.get(key) ?? []).slice(1 - mostOpen), round]);
		}
		this.#join(round, part, key, serverId);
	}

	#join(round: SetRound<M>, { mail, place, sender }: SetPart<M>, key: string, serverId: number | undefined): void {
		if (sender !== '') {
			round.senders.add(sender);
		}
		if (serverId !== undefined) {
			round.serverId ??= serverId;
			this.#byServer.set(serverId, round);
		}
		this.#byMail.set(mail.id, round);
		if (place.index === 0) {
			round.cover ??= mail;
		} else if (!round.patches.has(place.index)) {
			round.patches.set(place.index, mail);
			this.#byParent.set(`${key} ${mail.parentId}`, round);
		}
	}

	/** A round that lacks the part: the one in its thread, else the newest of this prefix. */
	#roundFor({ mail, place }: SetPart<M>, key: string, serverId: number | undefined): SetRound<M> | undefined {
		const open = (this.#open.get(key) ?? []).filter(
			(round) =>
				(serverId === undefined || round.serverId === undefined) &&
				(place.index === 0 ? round.cover === undefined : !round.patches.has(place.index)),
		);
		// A cover letter in reply to a patch begins another round.
		const above = mail.parentId === undefined || place.index === 0 ? undefined : this.#byMail.get(mail.parentId);
		const beside = this.#byParent.get(`${key} ${place.index === 0 ? mail.id : mail.parentId}`);
		const linked = [above, beside].find((round) => round && open.includes(round));
		const isAlike = ({ prefix }: SetRound<M>): boolean => prefix.toLowerCase() === place.prefix.toLowerCase();
		return linked ?? (place.index === 0 ? undefined : open.findLast(isAlike));
	}
}

function newRound<M extends SetMail>({ sender, version, isVersioned, place }: SetPart<M>, count: number): SetRound<M> {
	const { prefix, isNumbered } = place;
	const none = { patches: new Map<number, M>(), cover: undefined, serverId: undefined };
	return { sender, senders: new Set([sender]), version, isVersioned, prefix, count, isNumbered, ...none };
}

/** Several patches without numbers in reply to one mail of their sender without a diff: a series. */
function unnumberedSeries<M extends SetMail>(thread: SetThread<M>): ReadonlyMap<number, SetRound<M>> {
	const loose = thread.parts.filter(({ place, sender, mail }) => {
		const above = thread.mail(mail.parentId);
		return !place.isNumbered && sender !== '' && above?.hasDiff === false && thread.senderOf(above.names) === sender;
	});
	const found = new Map<number, SetRound<M>>();
	for (const group of Map.groupBy(loose, ({ mail, version }) => `${mail.parentId} ${version}`).values()) {
		const [first] = group;
		const above = thread.mail(first?.mail.parentId);
		const titles = new Set(group.map(({ place }) => versionTitle(place.subject)));
		if (
			first &&
			above &&
			group.length > 1 &&
			titles.size === group.length &&
			isAtOnce([above, ...group.map(({ mail }) => mail)], announces(above) ? mostBetweenMs : mostInOneRunMs)
		) {
			const round = newRound(first, group.length);
			round.cover = above;
			group.forEach(({ mail }, at) => {
				round.patches.set(at + 1, mail);
				found.set(mail.id, round);
			});
		}
	}
	return found;
}

function isAtOnce(mails: readonly SetMail[], mostMs: number): boolean {
	return mails.every(({ createdMs }, at) => createdMs - (mails[at - 1]?.createdMs ?? createdMs) < mostMs);
}

/** True if the brackets announce patches. */
function announces({ subject }: SetMail): boolean {
	return /^\[[^\]]{0,300}(?:PATCH|SERIES)/i.test(subject.trim());
}

/**
 * The place in the thread shows a cover letter, whatever its subject: the mail without a diff above the first patch, of
 * the same sender. The first round below such a mail has it.
 */
function coversByPlace<M extends SetMail>(rounds: readonly SetRound<M>[], thread: SetThread<M>): void {
	const taken = new Set(rounds.map(({ cover }) => cover?.id));
	for (const round of rounds.filter(({ cover, isNumbered }) => cover === undefined && isNumbered)) {
		const first = round.patches.get(minOf(round.patches.keys()));
		const above = thread.mail(first?.parentId);
		if (
			above &&
			above.hasDiff !== true &&
			// Another version or count announces another series.
			thread.part(above.id) === undefined &&
			subjectOfThread(above.subject) === above.subject.trim() &&
			round.senders.has(thread.senderOf(above.names)) &&
			!taken.has(above.id)
		) {
			round.cover = above;
			taken.add(above.id);
		}
	}
}
