import { crash, invalid } from '../shared/answers.ts';
import type { ApiCall, Context, Dialect } from '../shared/area.ts';
import { isTexts, validate, type Validation } from '../shared/body.ts';
import {
	asPerson,
	type Label,
	type Ticket,
	type TicketEvent,
	type Resolution,
	type Status,
	type StatusChange,
	isResolution,
	isStatus,
} from './ticketModel.ts';
import type { TicketRoom } from './ticketRoom.ts';
import { check } from '../shared/checks.ts';

/**
 * PUT of a ticket (docs/protocol.md#ticket-updates): labels first, one event each, then one event for comment and
 * status. The field changes labels before validating the rest, and keeps them after a refusal.
 */
export function updateTicket(room: TicketRoom, call: ApiCall, ticket: Ticket): readonly TicketEvent[] {
	const { context, store, access } = room;
	const { dialect } = context;
	const sent = validate(dialect, call.body);
	const comment = sent.text('comment', { label: 'Comment', min: 3, max: 16_384 });
	const wanted = readLabels(context, ticket, sent);
	const early = dialect.refusedLabelsStick ? applyLabels(room, call, ticket, wanted) : [];
	const change = readMove(dialect, ticket, sent);
	sent.done();
	if (sent.has('status') || wanted !== undefined || change !== undefined) {
		access.expect(call, ticket, 'triage');
	}
	if (comment !== undefined && comment !== '') {
		access.expect(call, ticket, 'comment');
	}
	const late = dialect.refusedLabelsStick ? [] : applyLabels(room, call, ticket, wanted);
	const events = store.update(
		ticket,
		asPerson(call.user),
		{
			...(comment === undefined || comment === '' ? {} : { comment }),
			...(change === undefined ? {} : { change }),
		},
		context.nowMs(),
	);
	return [...early, ...late, ...events];
}

/** Requested labels; undefined if the field is absent. Unknown labels become problems. */
function readLabels(context: Context, ticket: Ticket, sent: Validation): readonly Label[] | undefined {
	const names = sent.raw('labels');
	if (names === undefined) {
		return undefined;
	}
	check(names !== null, () => crash(context.dialect, invalid('labels may not be null', 'labels')));
	if (!isTexts(names)) {
		sent.expect(false, 'labels should be a list', 'labels');
		return undefined;
	}
	return [...new Set(names)].flatMap((name) => {
		const label = ticket.tracker.labels.find((each) => each.name === name);
		sent.expect(label !== undefined, `Unknown label ${name}`, 'labels');
		return label === undefined ? [] : [label];
	});
}

function applyLabels(
	{ context, store }: TicketRoom,
	call: ApiCall,
	ticket: Ticket,
	wanted: readonly Label[] | undefined,
): readonly TicketEvent[] {
	if (wanted === undefined) {
		return [];
	}
	const by = { person: asPerson(call.user), atMs: context.nowMs() };
	const gone = [...ticket.labels].filter((label) => !wanted.includes(label));
	const added = wanted.filter((label) => !ticket.labels.has(label));
	return [
		...gone.map((label) => store.setLabel(ticket, label, false, by)),
		...added.map((label) => store.setLabel(ticket, label, true, by)),
	];
}

/**
 * The status change of a ticket update; undefined without one. Adds problems to `sent`. The field only resolves and
 * reopens (docs/protocol.md#ticket-updates); the document allows any status and resolution.
 */
function readMove(dialect: Dialect, ticket: Ticket, sent: Validation): StatusChange | undefined {
	const status = readWord(sent, 'status', 'TicketStatus', isStatus);
	const resolution = readWord(sent, 'resolution', 'TicketResolution', isResolution);
	const to = dialect.statusMovesLimited
		? limitedMove(dialect, ticket, sent, status, resolution)
		: freeMove(ticket, status, resolution);
	if (to === undefined || (to.status === ticket.status && to.resolution === ticket.resolution)) {
		return undefined;
	}
	return {
		oldStatus: ticket.status,
		oldResolution: ticket.resolution,
		newStatus: to.status,
		newResolution: to.resolution,
	};
}

interface Target {
	readonly status: Status;
	readonly resolution: Resolution;
}

/** Leaving `resolved` without naming a resolution makes the ticket unresolved again. */
function freeMove(ticket: Ticket, status: Status | undefined, resolution: Resolution | undefined): Target {
	const reopened = ticket.status === 'resolved' && status !== undefined && status !== 'resolved';
	return {
		status: status ?? ticket.status,
		resolution: resolution ?? (reopened ? 'unresolved' : ticket.resolution),
	};
}

function limitedMove(
	dialect: Dialect,
	ticket: Ticket,
	sent: Validation,
	status: Status | undefined,
	resolution: Resolution | undefined,
): Target | undefined {
	if (status === undefined || status === ticket.status) {
		return undefined;
	}
	if (status === 'reported') {
		return { status, resolution: ticket.resolution };
	}
	if (resolution === undefined || resolution === 'unresolved') {
		sent.expect(false, 'resolution is required', 'resolution');
		return undefined;
	}
	if (ticket.status === 'resolved' && resolution === ticket.resolution) {
		throw crash(dialect, invalid('resolution is unchanged', 'resolution'));
	}
	return { status: 'resolved', resolution };
}

function readWord<T extends string>(
	sent: Validation,
	field: string,
	type: string,
	is: (value: unknown) => value is T,
): T | undefined {
	const value = sent.raw(field);
	if (value === undefined) {
		return undefined;
	}
	if (value === null) {
		sent.expect(false, `${field} may not be null`, field);
		return undefined;
	}
	sent.expect(typeof value === 'string', `${field} should be an str`, field);
	sent.expect(typeof value !== 'string' || is(value), `${field} should be a valid ${type}`, field);
	return is(value) ? value : undefined;
}
