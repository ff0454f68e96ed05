import type { ApiCall, Context } from '../shared/area.ts';
import { crash, invalid } from '../shared/answers.ts';
import { isTexts, validate, type Validation } from '../shared/body.ts';
import { readMove } from './statusMoves.ts';
import type { TicketAccess } from './ticketAccess.ts';
import { asPerson, type Label, type Ticket, type TicketEvent } from './ticketModel.ts';
import type { TicketStore } from './ticketStore.ts';

export interface UpdateParts {
	readonly context: Context;
	readonly store: TicketStore;
	readonly access: TicketAccess;
}

/**
 * PUT of a ticket (docs/protocol.md#ticket-updates): labels first, one event each, then one event for comment and
 * status. The field changes labels before validating the rest, and keeps them after a refusal.
 */
export function updateTicket(parts: UpdateParts, call: ApiCall, ticket: Ticket): readonly TicketEvent[] {
	const { context, store, access } = parts;
	const { dialect } = context;
	const sent = validate(dialect, call.body);
	const comment = sent.text('comment', { label: 'Comment', min: 3, max: 16_384 });
	const wanted = readLabels(context, ticket, sent);
	const early = dialect.refusedLabelsStick ? applyLabels(parts, call, ticket, wanted) : [];
	const change = readMove(dialect, ticket, sent);
	sent.done();
	if (sent.has('status') || wanted !== undefined || change !== undefined) {
		access.expect(call, ticket, 'triage');
	}
	if (comment !== undefined && comment !== '') {
		access.expect(call, ticket, 'comment');
	}
	const late = dialect.refusedLabelsStick ? [] : applyLabels(parts, call, ticket, wanted);
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
	if (names === null) {
		throw crash(context.dialect, invalid('labels may not be null', 'labels'));
	}
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
	{ context, store }: UpdateParts,
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
