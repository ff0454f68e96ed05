import { isAbort } from '@forge-desk/base/abort.ts';
import { maxOf, pushAll } from '@forge-desk/base/longArrays.ts';
import { eventsSince } from '../port/eventsSince.ts';
import type { TrackerApi } from '../port/forge.ts';
import { ForgeError, isForgeError } from '../port/forgeError.ts';
import type { LearntFacts } from '../port/learntFacts.ts';
import { mayHaveArrived, wasNeverSent } from '../port/mayHaveArrived.ts';
import {
	isEventBy,
	type Comment,
	type Ticket,
	type TicketEvent,
	type TicketRef,
	type ticketResolutions,
	type ticketStatuses,
} from '../port/ticket.ts';
import {
	isBlank,
	type ChangedTicket,
	type TicketBefore,
	type TicketOutcome,
	type TicketRequest,
	type LabelRequest,
	statusWanted,
} from '../port/ticketRequest.ts';
import { isNamed } from '../port/tracker.ts';
import type { OwnerName } from '../port/user.ts';
import { paged, type Caller } from './caller.ts';
import { inTicket } from './endpoint.ts';
import { isMissingFeature, orMissingFeature } from './missingFeatures.ts';
import { hasComment, orMissingComment, orMissingTicket, type ExactTrackers } from './exactTracker.ts';
import { observedEndpoints, trackerEndpoints as endpoints } from './endpoints.ts';
import type { Pages } from '../port/page.ts';

/** Retry limit: other writers may be as fast as this one. The caller reports the remaining losses. */
const mostTurns = 12;

export function restTickets(
	caller: Caller,
	sure: ExactTrackers,
): Pick<TrackerApi, 'ticket' | 'events' | 'editComment' | 'statusLimits' | 'updateTicket' | 'restoreLabels'> {
	const { call, me, learnt } = caller;
	const wire: TicketWire = {
		async ticket(ref, signal) {
			const ticket = await orMissingTicket(caller, ref, signal, call(endpoints.ticket, { ...inTicket(ref), signal }));
			refuseOtherTicket(ref, ticket);
			return ticket;
		},
		events: (ref, signal) => paged(caller, endpoints.events, { ...inTicket(ref), signal }, { key: ({ id }) => id }),
		async update(ref, body, signal) {
			await sure.beforeWrite(ref.tracker, signal);
			const update = call(endpoints.updateTicket, { ...inTicket(ref), body, signal });
			const answer = await orMissingTicket(caller, ref, signal, update);
			refuseOtherTicket(ref, answer.ticket);
			return answer;
		},
	};
	async function editComment(
		ref: TicketRef,
		{ id: commentId }: Comment,
		text: string,
		signal: AbortSignal,
	): Promise<Comment> {
		if (commentId === undefined) {
			throw new ForgeError({ kind: 'notOffered' });
		}
		await sure.beforeWrite(ref.tracker, signal);
		const { params, owner } = inTicket(ref);
		const at = { ...params, 'comment-id': commentId };
		const edit = call(observedEndpoints.editComment, { params: at, owner, body: { text }, signal });
		// One check distinguishes a missing comment from a missing route, after any error.
		let look: Promise<boolean> | undefined;
		const isThere = (): Promise<boolean> => {
			look ??= hasComment(caller, { ref, commentId }, signal);
			return look;
		};
		return orMissingFeature(caller, { member: 'trackers.editComment', work: orMissingComment(edit, isThere), isThere });
	}

	return {
		ticket: (ref, signal) => wire.ticket(ref, signal),
		events: (ref, signal) => wire.events(ref, signal),
		...ticketSending(wire, me, learnt),
		get editComment() {
			return isMissingFeature(learnt, 'trackers.editComment') ? undefined : editComment;
		},
	};
}

/** Rejects a response about another ticket. */
function refuseOtherTicket(ref: TicketRef, { id, tracker }: Ticket): void {
	if (!isNamed(tracker, ref.tracker)) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'tracker', why: 'a ticket of another tracker came' });
	}
	if (id !== ref.id) {
		throw new ForgeError({ kind: 'notUnderstood', where: 'id', why: `ticket ${id} came for ticket ${ref.id}` });
	}
}

const onlyResolvesAndReopens = 'onlyResolvesAndReopens';

/**
 * Changes tickets over a protocol with whole label sets: reads first, sends once, compares, and restores labels of
 * others that the set overwrote (docs/decisions/0014-writes-looked-after.md).
 */
export function ticketSending(
	wire: TicketWire,
	me: OwnerName,
	learnt: LearntFacts,
): Pick<TrackerApi, 'statusLimits' | 'updateTicket'> & Required<Pick<TrackerApi, 'restoreLabels'>> {
	return {
		statusLimits: () => ({ onlyResolvesAndReopens: learnt.has(onlyResolvesAndReopens) }),
		async updateTicket(ref, asked, signal) {
			const before = await readBefore(wire, ref, asked, signal);
			const body = ticketBody(asked, before.ticket);
			if (Object.keys(body).length === 0) {
				return { kind: 'needless', ticket: before.ticket ?? (await wire.ticket(ref, signal)) };
			}
			await asked.leaving?.(before);
			let update: ChangedTicket;
			try {
				update = await wire.update(ref, body, signal);
			} catch (error) {
				return await failed(wire, learnt, { ref, asked, before }, error, signal);
			}
			learn(learnt, asked, update);
			const events = await eventsOfWrite(wire, me, { ref, asked, before }, update, signal);
			return { kind: 'answered', ticket: update.ticket, events, before };
		},
		async restoreLabels(ref, { labels, before }, { ticket, events }, signal) {
			const { add, remove } = undoneOfOthers(labels, events);
			// Timeline events may include other actions of the account. The write itself can only remove labels unknown to
			// it, and only add labels known to it.
			const wasThere = (name: string): boolean => before.ticket?.labels.includes(name) === true;
			const damage = { add: add.filter((name) => !wasThere(name)), remove: remove.filter(wasThere) };
			const given = await giveBackLabels(wire, { ref, damage, ticket }, signal);
			return {
				ticket: given.ticket,
				events: given.events,
				deviations: [
					...given.missing.map((name) => ({ kind: 'labelMissing' as const, name })),
					...given.setAgain.map((name) => ({ kind: 'labelLeft' as const, name })),
				],
			};
		},
	};
}

/**
 * State to read before a write: labels for the whole set, and the newest event, to distinguish a new comment from an
 * older one with the same text.
 */
async function readBefore(
	wire: TicketWire,
	ref: TicketRef,
	{ comment, labels }: TicketRequest,
	signal: AbortSignal,
): Promise<TicketBefore> {
	if (isBlank(comment) && labels === undefined) {
		return { ticket: undefined, newestEventId: undefined };
	}
	const [newestEventId, ticket] = await Promise.all([
		newestEvent(wire, ref, signal),
		labels ? wire.ticket(ref, signal) : Promise.resolve(undefined),
	]);
	return { ticket, newestEventId };
}

async function newestEvent(wire: TicketWire, ref: TicketRef, signal: AbortSignal): Promise<number> {
	for await (const { items } of wire.events(ref, signal)) {
		return maxOf([0, ...items.map(({ id }) => id)]);
	}
	return 0;
}

/** A sent request. */
interface Sent {
	readonly ref: TicketRef;
	readonly asked: TicketRequest;
	readonly before: TicketBefore;
}

/** `me`: only the account's own events belong to the write. Events of the response, or from the timeline if the response lacks some. An abort here loses no write. */
async function eventsOfWrite(
	wire: TicketWire,
	me: OwnerName,
	{ ref, asked, before }: Sent,
	update: ChangedTicket,
	signal: AbortSignal,
): Promise<readonly TicketEvent[]> {
	const { ticket, events } = update;
	const lacksComment = !isBlank(asked.comment) && !events.some(({ comment }) => comment !== undefined);
	const isSame = before.ticket?.labels.toSorted().join('\n') === ticket.labels.toSorted().join('\n');
	const saysLabels = namesOf(events, 'label_removed').length + namesOf(events, 'label_added').length > 0;
	const lacksLabels = asked.labels !== undefined && !isSame && !saysLabels;
	if (before.newestEventId === undefined || !(lacksComment || lacksLabels)) {
		return events;
	}
	try {
		const since = await eventsSince(wire, ref, before.newestEventId, signal);
		return since.filter((event) => isEventBy(event, me));
	} catch (error) {
		if (!isAbort(error) && !isForgeError(error)) {
			throw error;
		}
		return events;
	}
}

/** Never retries. Rethrows a definite refusal, unless a part may have succeeded. */
async function failed(
	wire: TicketWire,
	learnt: LearntFacts,
	{ ref, asked, before }: Sent,
	error: unknown,
	signal: AbortSignal,
): Promise<TicketOutcome> {
	if (!(error instanceof Error) || wasNeverSent(error, signal)) {
		throw error;
	}
	if (!isForgeError(error) || mayHaveArrived(error)) {
		return { kind: 'lost', before, error };
	}
	const { problem } = error;
	// A server that requires a resolution supports only resolving and reopening.
	if (
		asked.move?.kind === 'set' &&
		problem.kind === 'invalid' &&
		problem.errors.some(({ field }) => field === 'resolution')
	) {
		learnt.learn(onlyResolvesAndReopens, true);
	}
	// Other refusals precede any change.
	if (!asked.labels || (problem.kind !== 'invalid' && problem.kind !== 'notAllowed')) {
		throw error;
	}
	const now = await seenNow(wire, ref, signal);
	const labels = before.ticket && now && changedAllTheSame(asked.labels, before.ticket, now);
	return labels && now ? { kind: 'partly', done: { labels }, error, before, now } : { kind: 'refused', error, now };
}

async function seenNow(wire: TicketWire, ref: TicketRef, signal: AbortSignal): Promise<Ticket | undefined> {
	try {
		return await wire.ticket(ref, signal);
	} catch (error) {
		if (!isAbort(error) && !isForgeError(error)) {
			throw error;
		}
		return undefined;
	}
}

/** A server that replaces the status supports only two moves; a server that applies it supports more. */
function learn(learnt: LearntFacts, { move }: TicketRequest, { ticket, events }: ChangedTicket): void {
	if (move?.kind !== 'set') {
		return;
	}
	if (ticket.status !== move.status) {
		learnt.learn(onlyResolvesAndReopens, true);
	} else if (events.some(({ newStatus }) => newStatus === move.status)) {
		learnt.learn(onlyResolvesAndReopens, false);
	}
}

/**
 * Restores the labels that our write removed from others: reads, merges and writes again until no write conflicts.
 * Requests only missing labels, so a retry does no harm. Only reports labels that our write added again: another writer
 * may want them or be about to restore them. Returns the remaining differences: `missing` are lost labels of others,
 * `setAgain` those that others removed and our write added again.
 */
export async function giveBackLabels(
	wire: Pick<TicketWire, 'ticket' | 'update'>,
	{ ref, damage, ticket }: { readonly ref: TicketRef; readonly damage: LabelRequest; readonly ticket: Ticket },
	signal: AbortSignal,
) {
	const setAgain = new Set(damage.remove);
	const events: TicketEvent[] = [];
	let now = ticket;
	let add = damage.add;
	try {
		for (let turn = 0; turn < mostTurns && add.length > 0; turn += 1) {
			now = await wire.ticket(ref, signal);
			const asked = { add, remove: [] };
			const body = ticketBody({ labels: asked }, now);
			if (body.labels === undefined) {
				add = [];
				break;
			}
			const update = await wire.update(ref, body, signal);
			now = update.ticket;
			pushAll(events, update.events);
			const again = undoneOfOthers(asked, update.events);
			again.remove.forEach((name) => setAgain.add(name));
			add = again.add;
		}
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		now = await wire.ticket(ref, signal).catch(() => now);
	}
	// Reports the label even if it is gone again: another writer may be restoring it.
	return { ticket: now, events, missing: add.filter((name) => !now.labels.includes(name)), setAgain: [...setAgain] };
}

/**
 * Unrelated label changes that our write reverted: another writer changed them between our read and write, and we sent
 * the whole set. Returns the request that restores them. `events`: the events of the write.
 */
function undoneOfOthers(asked: LabelRequest, events: readonly TicketEvent[]): LabelRequest {
	const removed = namesOf(events, 'label_removed');
	const added = namesOf(events, 'label_added');
	return {
		add: removed.filter((name) => !asked.remove.includes(name)),
		remove: added.filter((name) => !asked.add.includes(name)),
	};
}

/**
 * Label changes of a refused request: servers change labels before validating the rest
 * (docs/protocol.md#label-updates). `undefined` if none.
 */
function changedAllTheSame({ add, remove }: LabelRequest, before: Ticket, now: Ticket): LabelRequest | undefined {
	const done = {
		add: add.filter((name) => !before.labels.includes(name) && now.labels.includes(name)),
		remove: remove.filter((name) => before.labels.includes(name) && !now.labels.includes(name)),
	};
	return done.add.length + done.remove.length === 0 ? undefined : done;
}

function namesOf(events: readonly TicketEvent[], kind: 'label_added' | 'label_removed'): readonly string[] {
	return events.filter(({ kinds }) => kinds.includes(kind)).flatMap(({ labels }) => labels);
}

/** Requests for changing a ticket. */
export interface TicketWire {
	ticket(ref: TicketRef, signal: AbortSignal): Promise<Ticket>;
	/** Newest first. */
	events(ref: TicketRef, signal: AbortSignal): Pages<TicketEvent>;
	update(ref: TicketRef, body: TicketBody, signal: AbortSignal): Promise<ChangedTicket>;
}

/** Body of a ticket's PUT; the server keeps omitted fields (docs/protocol.md#ticket-updates). */
export interface TicketBody {
	readonly comment?: string;
	readonly status?: (typeof ticketStatuses)[number];
	readonly resolution?: (typeof ticketResolutions)[number];
	/** The whole wanted set of label names (docs/protocol.md#label-updates). */
	readonly labels?: readonly string[];
}

/**
 * Body for a request. Merges labels into the ticket's current set, because servers replace the whole set. Omits
 * unchanged labels, so the write can't revert other writers. Omits absent fields: servers reject null.
 */
function ticketBody({ comment, move, labels }: TicketRequest, now: Ticket | undefined): TicketBody {
	const wanted = labels && now ? mergedLabels(now.labels, labels) : undefined;
	return {
		...(isBlank(comment) ? {} : { comment }),
		// Resolving sends status and resolution together; other moves send no resolution.
		...(move ? { status: statusWanted(move) } : {}),
		...(move?.kind === 'resolve' ? { resolution: move.resolution } : {}),
		...(wanted ? { labels: wanted } : {}),
	};
}

/** The whole label set to send; `undefined` if unchanged. */
function mergedLabels(now: readonly string[], { add, remove }: LabelRequest): readonly string[] | undefined {
	const wanted = new Set([...now, ...add]);
	for (const name of remove) {
		wanted.delete(name);
	}
	const isSame = wanted.size === now.length && now.every((name) => wanted.has(name));
	return isSame ? undefined : [...wanted].toSorted();
}
