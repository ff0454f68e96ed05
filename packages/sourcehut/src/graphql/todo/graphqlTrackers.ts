import type { RawPage } from '../../answers/pages.ts';
import type { TrackerApi, TicketInFull, TicketsInBulk, LabelMaking, TicketMails } from '../../port/forge.ts';
import { isForgeError, ForgeError } from '../../port/forgeError.ts';
import type { Subscribable } from '../../port/subscribable.ts';
import type { TrackerRef, Label } from '../../port/tracker.ts';
import type { GraphqlCaller } from '../transport/graphqlCaller.ts';
import { listed, listOf, orNotFound, readBack } from '../transport/listed.ts';
import { unsentKey } from '../transport/partial.ts';
import { bareName, byName, askableId } from '../transport/variables.ts';
import { changedPages } from './changedPages.ts';
import { graphqlTickets } from './graphqlTickets.ts';
import {
	createLabel,
	createTracker,
	deleteLabel,
	deleteTracker,
	findLabel,
	listLabels,
	listTickets,
	listTicketsInFull,
	listTrackers,
	readChangeTimes,
	readTicket,
	readTimeline,
	readTracker,
	submitTicket,
	subscriptions,
	updateLabel,
	updateTracker,
} from './todoDocuments.ts';
import { checkedTitle, inTicket, trackerIds, type TrackerIds } from './trackerIds.ts';

/** Trackers and tickets over GraphQL. */
export function graphqlTrackers(caller: GraphqlCaller): TrackerApi {
	const { ask, me } = caller;
	const ids = trackerIds(caller);
	return {
		...graphqlTickets(ids),
		inBulk: graphqlBulk(ids),
		labelMaking: graphqlLabels(ids),
		subscriptions: graphqlTicketMails(ids),
		trackers: (owner, signal) =>
			listOf(caller, listTrackers, { owner: bareName(owner ?? me) }, ({ name }) => name, signal),
		tracker: async (ref, signal) => orNotFound(await ask(readTracker, byName(ref), signal)),
		async create({ name, description, visibility }, signal) {
			// The API requires a visibility; public is the default of the REST generation.
			const wanted = { name, description, visibility: (visibility ?? 'public').toUpperCase() };
			orNotFound(await ask(createTracker, wanted, signal));
			return readBack(ask(readTracker, byName({ owner: me, name }), signal));
		},
		async update(ref, description, signal) {
			const id = await ids.current(ref, signal);
			const input = { description: description === '' ? null : description };
			await ids.written(ref, ask(updateTracker, { id, input }, signal), signal);
			return readBack(ask(readTracker, byName(ref), signal));
		},
		async remove(ref, signal) {
			const id = await ids.current(ref, signal);
			await ids.written(ref, ask(deleteTracker, { id }, signal), signal);
		},
		labels: (ref, signal) => listOf(caller, listLabels, byName(ref), ({ name }) => name, signal),
		async submit(ref, { title, description }, signal) {
			const subject = checkedTitle(title);
			const trackerId = await ids.current(ref, signal);
			const input = { subject, body: description === '' ? null : description };
			const { id } = await ids.written(ref, ask(submitTicket, { trackerId, input }, signal), signal);
			return (await readBack(ask(readTicket, inTicket({ tracker: ref, id }), signal))).ticket;
		},
	};
}

/** Bulk reads of a tracker's tickets over GraphQL. */
function graphqlBulk(ids: TrackerIds): TicketsInBulk {
	const { ask } = ids.caller;
	const mostNumbers = readChangeTimes.mostAtOnce;

	/** If the server times out on the timelines, reads the page without them. */
	async function page(
		ref: TrackerRef,
		cursor: string | undefined,
		signal: AbortSignal,
	): Promise<RawPage<TicketInFull> | undefined> {
		const variables = { ...byName(ref), cursor };
		try {
			return await ask(listTicketsInFull, variables, signal);
		} catch (error) {
			// Servers time out after some seconds, with different errors (docs/protocol.md#many-things-in-one-question).
			if (!isForgeError(error) || (error.problem.kind !== 'serverError' && error.problem.kind !== 'unreachable')) {
				throw error;
			}
			// Fallback; no further retry follows.
			const found = await ask({ ...listTickets, isSlow: true }, variables, signal);
			return found && { ...found, items: found.items.map((ticket) => ({ ticket, timeline: undefined })) };
		}
	}

	return {
		mostNumbers,
		pages: (ref, after, signal) =>
			listed(
				(cursor, pageSignal) => page(ref, cursor ?? after, pageSignal),
				({ ticket }) => ticket.id,
				signal,
			),
		async ticket(ref, signal) {
			const found = orNotFound(await ask(readTimeline, { ...inTicket(ref), cursor: undefined }, signal));
			const { items, next, isPart } = found.page;
			const isWhole = next === undefined && !isPart;
			return {
				ticket: found.ticket,
				timeline: { items, completeness: isWhole ? { kind: 'complete' } : { kind: 'more', total: undefined } },
			};
		},
		async changedMs(ref, numbers, signal) {
			const wanted = numbers.slice(0, mostNumbers).map(askableId);
			const [first] = wanted;
			if (first === undefined) {
				return new Map();
			}
			// The query requires a number in every variable.
			const asked = Array.from({ length: mostNumbers }, (_, at) => [`n${at}`, wanted[at] ?? first] as const);
			const variables = { ...byName(ref), ...Object.fromEntries(asked) };
			const found = orNotFound(await ask(readChangeTimes, variables, signal));
			return new Map(
				wanted.flatMap((number, at): (readonly [number, number])[] => {
					const name: `t${number}` = `t${at}`;
					if (found[unsentKey].includes(name)) {
						return [[number, Number.POSITIVE_INFINITY]];
					}
					const told = found[name];
					return told ? [[number, told.updated]] : [];
				}),
			);
		},
		...changedPages(ids.caller),
	};
}

/** Labels of own trackers over GraphQL. */
function graphqlLabels(ids: TrackerIds): LabelMaking {
	const { ask } = ids.caller;

	async function numberOf(ref: TrackerRef, name: string, signal: AbortSignal): Promise<number> {
		const id = (await ids.labels(ref, [name], signal)).get(name);
		if (id === undefined) {
			throw new ForgeError({ kind: 'notFound' }, { isUnsent: true });
		}
		return id;
	}

	/**
	 * Older servers report another owner's label as missing (docs/protocol.md#graphql-errors), so check that it exists.
	 */
	async function changed<T>(
		ref: TrackerRef,
		name: string,
		work: Promise<T | undefined>,
		signal: AbortSignal,
	): Promise<T> {
		try {
			return await ids.written(ref, work, signal);
		} catch (error) {
			const isMissing = isForgeError(error) && error.problem.kind === 'notFound';
			const isThere = isMissing && (await ids.labels(ref, [name], signal)).has(name);
			throw isThere ? new ForgeError({ kind: 'notAllowed' }, { cause: error }) : error;
		}
	}

	function readLabel(ref: TrackerRef, name: string, signal: AbortSignal): Promise<Label> {
		return readBack(ask(findLabel, { ...byName(ref), label: name }, signal));
	}

	return {
		async create(ref, { name, colors }, signal) {
			const trackerId = await ids.current(ref, signal);
			await ids.written(ref, ask(createLabel, { trackerId, name, ...colors }, signal), signal);
			return readLabel(ref, name, signal);
		},
		async change(ref, name, { name: newName, colors }, signal) {
			const id = await numberOf(ref, name, signal);
			// The server rejects an unchanged name as a duplicate.
			const input = {
				...(newName === undefined || newName === name ? {} : { name: newName }),
				...(colors ? { foregroundColor: colors.text, backgroundColor: colors.background } : {}),
			};
			await changed(ref, name, ask(updateLabel, { id, input }, signal), signal);
			return readLabel(ref, newName ?? name, signal);
		},
		async remove(ref, name, signal) {
			const id = await numberOf(ref, name, signal);
			await changed(ref, name, ask(deleteLabel, { id }, signal), signal);
		},
	};
}

/** Subscriptions to ticket mails over GraphQL. */
function graphqlTicketMails(ids: TrackerIds): TicketMails {
	const { ask } = ids.caller;

	async function isSubscribed(to: Subscribable, signal: AbortSignal): Promise<boolean> {
		return orNotFound(
			to.kind === 'tracker'
				? await ask(subscriptions.readOfTracker, byName(to.ref), signal)
				: await ask(subscriptions.readOfTicket, inTicket(to.ref), signal),
		);
	}

	return {
		isSubscribed,
		async setSubscribed(to, isWanted, signal) {
			try {
				const trackerId = await ids.current(to.kind === 'tracker' ? to.ref : to.ref.tracker, signal);
				const { toTracker, fromTracker, toTicket, fromTicket } = subscriptions;
				const work =
					to.kind === 'tracker'
						? ask(isWanted ? toTracker : fromTracker, { trackerId }, signal)
						: ask(isWanted ? toTicket : fromTicket, { trackerId, ticketId: inTicket(to.ref).id }, signal);
				await ids.written(to.ref, work, signal);
			} catch (error) {
				// Ending an ended subscription reports "not found" (docs/protocol.md#ticket-subscriptions).
				const isUnsure = isForgeError(error) && ['notFound', 'notAllowed'].includes(error.problem.kind);
				if (!isUnsure || isWanted || (await isSubscribed(to, signal))) {
					throw error;
				}
			}
		},
	};
}
