import { maxOf, minOf, pushAll } from '@forge-desk/base/longArrays.ts';
import type { SetMail, SetPart, SetThread } from './setParts.ts';
import { patchSubject, subjectOfThread } from './patchSubject.ts';
import { versionTitle } from './versions.ts';

/** Patches that one person sent together, perhaps only some of those that they announce. */
export interface SetRound<M extends SetMail> {
	readonly sender: string;
	readonly prefix: string;
	readonly count: number;
	readonly isNumbered: boolean;
	/** By index. */
	readonly patches: Map<number, M>;
	/** Mails of patches sent again. */
	readonly replaced: { readonly mail: M; readonly index: number }[];
	/** The server put it together from mails of several rounds. */
	readonly isMixed: boolean;
	version: number;
	isVersioned: boolean;
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
 * Groups the parts of a thread into rounds, in the order of sending. A repeated index begins another round, and so does
 * another sender. The order of arrival counts for the server only: a round that it put together in another way is one more.
 */
export function roundsIn<M extends SetMail>(
	thread: SetThread<M>,
	anchorOf: (mail: M) => number | undefined,
): readonly SetRound<M>[] {
	const rounds = new Rounds<M>();
	const unnumbered = unnumberedSeries(thread);
	for (const part of thread.parts) {
		if (part.sender !== '' && !unnumbered.has(part.mail.id)) {
			rounds.add(part);
		}
	}
	const sent = [...merged(rounds.all), ...new Set(unnumbered.values())];
	coversByPlace(sent, thread);
	const firstOf = ({ cover, patches }: SetRound<M>): number =>
		minOf([cover, ...patches.values()].map((mail) => thread.place(mail)));
	return withServer(sent, thread, anchorOf)
		.filter(({ patches, serverId }) => patches.size > 0 || serverId !== undefined)
		.toSorted((one, other) => firstOf(one) - firstOf(other));
}

/** Marks the rounds that are patchsets of the server, and adds its other ones. */
function withServer<M extends SetMail>(
	rounds: readonly SetRound<M>[],
	thread: SetThread<M>,
	anchorOf: (mail: M) => number | undefined,
): readonly SetRound<M>[] {
	const roundOf = new Map(
		rounds.flatMap((round) => [round.cover, ...round.patches.values()].map((mail) => [mail?.id, round] as const)),
	);
	const found = new Set<number>();
	const more: SetRound<M>[] = [];
	const take = (serverId: number, parts: readonly SetPart<M>[]): void => {
		const made = roundOfServer(serverId, parts);
		const patches = made.flatMap((each) => [...each.patches.values()]);
		const mails = patches.length > 0 ? patches : parts.map(({ mail }) => mail);
		const [round, ...others] = new Set(mails.map(({ id }) => roundOf.get(id)));
		// The server numbers patches without a number 1/1.
		const most = maxOf(parts.map(({ mail, place }) => (patchSubject(mail.subject) ?? place).count));
		if (round && others.length === 0 && round.serverId === undefined && round.patches.size <= most) {
			round.serverId = serverId;
		} else {
			pushAll(more, made);
		}
		found.add(serverId);
	};
	for (const [serverId, parts] of Map.groupBy(thread.parts, ({ mail }) => mail.patchsetId)) {
		if (serverId !== undefined) {
			take(serverId, parts);
		}
	}
	for (const part of thread.parts) {
		const anchor = part.mail.patchsetId === undefined && part.sender !== '' ? anchorOf(part.mail) : undefined;
		// Anyone can repeat the title of a patchset.
		if (anchor !== undefined && !found.has(anchor)) {
			take(anchor, [part]);
		}
	}
	// The server has all mails of such a round in one patchset.
	const isPart = ({ patches, serverId }: SetRound<M>): boolean => {
		const [ofServer, ...further] = new Set(Array.from(patches.values(), ({ patchsetId }) => patchsetId));
		return serverId === undefined && ofServer !== undefined && further.length === 0;
	};
	return [...rounds.filter((round) => !isPart(round)), ...more];
}

/** A patchset as the server put it together, perhaps from mails of several people. */
function roundOfServer<M extends SetMail>(serverId: number, parts: readonly SetPart<M>[]): readonly SetRound<M>[] {
	const [first, ...rest] = parts.toSorted((one, other) => one.place.index - other.place.index);
	if (!first) {
		return [];
	}
	const round = newRound(first, first.place.count);
	for (const { mail, place } of [first, ...rest]) {
		if (place.index === 0) {
			round.cover ??= mail;
		} else if (!round.patches.has(place.index)) {
			round.patches.set(place.index, mail);
		}
	}
	return [{ ...round, isMixed: true, serverId }];
}

/**
 * Joins incomplete rounds of one number. The parts of a complete series may answer different mails, and only one may have
 * the version. Parts with an equal title were sent again. Several candidates leave doubt.
 */
function merged<M extends SetMail>(rounds: readonly SetRound<M>[]): readonly SetRound<M>[] {
	const lacking = rounds.filter(({ patches, count }) => patches.size < count);
	const gone = new Set<SetRound<M>>();
	for (const group of Map.groupBy(lacking, keyOfRest).values()) {
		let open: readonly SetRound<M>[] = [];
		for (const round of group) {
			const [before, ...others] = open.filter((each) => isContinued(each, round));
			if (before === undefined || others.length > 0) {
				open = [...open, round];
				continue;
			}
			for (const [index, mail] of round.patches) {
				const replaced = before.patches.get(index);
				before.replaced.push(...(replaced ? [{ mail: replaced, index }] : []));
				before.patches.set(index, mail);
			}
			before.cover = round.cover ?? before.cover;
			if (round.isVersioned) {
				[before.version, before.isVersioned] = [round.version, true];
			}
			gone.add(round);
			open = open.filter((each) => each !== before || each.patches.size < each.count);
		}
	}
	return rounds.filter((round) => !gone.has(round));
}

/** Equal for rounds that may be parts of one, whatever their versions. */
function keyOfRest<M extends SetMail>({ sender, count, prefix }: SetRound<M>): string {
	return JSON.stringify([
		sender,
		count,
		prefix
			.toLowerCase()
			.replaceAll(/(?<!\S)(?:resend|repost)(?!\S) ?/g, '')
			.trim(),
	]);
}

function isContinued<M extends SetMail>(before: SetRound<M>, { version, isVersioned, ...next }: SetRound<M>): boolean {
	const repeated = Array.from(next.patches).filter(([index]) => before.patches.has(index));
	const mails = [before, next].flatMap(({ patches }) => [...patches.values()]);
	const isRun = isAtOnce(
		mails.toSorted((one, other) => one.createdMs - other.createdMs),
		mostBetweenMs,
	);
	const isOfVersion = version === before.version || (isRun && isVersioned !== before.isVersioned);
	const isRest =
		repeated.length === 0 &&
		before.patches.size + next.patches.size === before.count &&
		(before.cover === undefined || next.cover === undefined);
	const isAgain =
		repeated.length > 0 &&
		repeated.every(([index, mail]) => titleOf(mail) === titleOf(before.patches.get(index) ?? mail));
	return isOfVersion && (isRest || isAgain);
}

function titleOf({ place, subject }: SetMail): string {
	return versionTitle(place?.subject ?? subject);
}

/** The rounds so far, and the ways from a part to its round. */
class Rounds<M extends SetMail> {
	readonly all: SetRound<M>[] = [];
	/** Those that may still grow, by sender, version and count. */
	readonly #open = new Map<string, readonly SetRound<M>[]>();
	readonly #byMail = new Map<number, SetRound<M>>();
	/** By the mail above the patches. */
	readonly #byParent = new Map<string, SetRound<M>>();

	add(part: SetPart<M>): void {
		const { mail, place, sender, version } = part;
		const key = JSON.stringify([sender, version, place.count, place.isNumbered]);
		const isBeyond = place.index > place.count;
		const known = isBeyond || !place.isNumbered ? undefined : this.#roundFor(part, key);
		const round = known ?? newRound(part, isBeyond ? 1 : place.count);
		if (!known) {
			this.all.push(round);
		}
		if (!known && !isBeyond) {
			this.#open.set(key, [...(this.#open.get(key) ?? []).slice(1 - mostOpen), round]);
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
	#roundFor({ mail, place }: SetPart<M>, key: string): SetRound<M> | undefined {
		const open = (this.#open.get(key) ?? []).filter((round) =>
			place.index === 0 ? round.cover === undefined : !round.patches.has(place.index),
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
	const none = { patches: new Map<number, M>(), replaced: [], isMixed: false, cover: undefined, serverId: undefined };
	return { sender, version, isVersioned, prefix, count, isNumbered, ...none };
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
		const titles = new Set(group.map(({ mail }) => titleOf(mail)));
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
			round.sender === thread.senderOf(above.names) &&
			!taken.has(above.id)
		) {
			round.cover = above;
			taken.add(above.id);
		}
	}
}
