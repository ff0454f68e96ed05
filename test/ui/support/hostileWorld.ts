import type { SampleForge } from '../../support/sampleForge.ts';
import { fieldsOf } from '../../support/sampleForge.ts';

/** Responses of a hostile or broken server for alice's tracker `website`. */
export interface HostileWorld {
	readonly tracker: 'website';
	/** The texts; ticket numbers count from 1, and the newest ticket has the last text. */
	readonly texts: readonly string[];
	/** Number of the ticket with a text. */
	numberOf(text: string): number;
}

const many = 1_000_000;
const own = '(?:/api/trackers|/api/user/~alice/trackers)';

/**
 * Puts the texts into every field of trees, hovers, picks and pages. Lists and labels of events are in the forge's
 * dialect.
 */
export async function plantHostileWorld(forge: SampleForge, texts: readonly string[]): Promise<HostileWorld> {
	const real = await forge.call('todo', 'GET', '/api/trackers/website');
	const tracker = fieldsOf(real.json);
	const sample = fieldsOf((await forge.call('todo', 'GET', '/api/trackers/website/tickets/1')).json);
	const all = texts.join('\n\n');
	const plant = async (path: string, body: unknown): Promise<void> => {
		const headers = { 'Content-Type': 'application/json' };
		const fault = { kind: 'status', status: 200, headers, body: JSON.stringify(body) } as const;
		await forge.fault({ area: 'todo', method: 'GET', path: `^${path}(?:\\?|$)` }, fault, many);
	};
	const isBare = forge.dialect === 'document';
	const page = (results: readonly unknown[]): object =>
		isBare ? results : { next: null, results, total: results.length, results_per_page: Math.max(50, results.length) };
	const tickets = texts.map((text, at) => hostileTicket(sample, text, at + 1)).toReversed();
	const named = texts.slice(0, 30).map((name, at) => ({ ...tracker, id: 9000 + at, name, description: name }));
	await plant(own, page([{ ...tracker, description: all, unheard_of: texts, [all.slice(0, 2000)]: 1 }, ...named]));
	await plant(`${own}/website`, { ...tracker, description: all, unheard_of: texts });
	await plant(`${own}/website/labels`, page(texts.map((name) => ({ ...hostileLabel(name), tracker }))));
	await plant(`${own}/website/tickets`, page(tickets));
	for (const [at, text] of texts.entries()) {
		const ticket = hostileTicket(sample, text, at + 1);
		await plant(`${own}/website/tickets/${at + 1}`, ticket);
		await plant(`${own}/website/tickets/${at + 1}/events`, page(hostileEvents(ticket, text, isBare ? [text] : text)));
	}
	return { tracker: 'website', texts, numberOf: (text) => texts.indexOf(text) + 1 };
}

function hostileLabel(text: string): object {
	return { name: text, colors: { background: text, text }, created: '2026-11-17T12:00:00Z' };
}

function hostileTicket(
	sample: Readonly<Record<string, unknown>>,
	text: string,
	number: number,
): Readonly<Record<string, unknown>> {
	const person = { canonical_name: text, name: text };
	return {
		...sample,
		id: number,
		ref: `~alice/website#${number}`,
		title: text,
		description: text,
		submitter: person,
		labels: [text, `${text} again`],
		assignees: [person, { canonical_name: `~${text}`, name: text }],
		// Open, so no filter hides it. Every second one has unknown words.
		...(number % 2 === 0 ? { status: text, resolution: text } : { status: 'reported', resolution: 'unresolved' }),
		unheard_of: text,
		[text]: text,
	};
}

/** `label`: an event's label in this dialect. */
function hostileEvents(ticket: Readonly<Record<string, unknown>>, text: string, label: unknown): readonly object[] {
	const person = { type: 'user', canonical_name: text, name: text };
	const none = { old_status: null, old_resolution: null, new_status: null, new_resolution: null };
	const rest = { ...none, user: person, ticket, comment: null, label: null, by_user: null, from_ticket: null };
	const comment = { id: 1, created: ticket['created'], submitter: person, text };
	return [
		{ event_type: ['comment'], comment },
		{ event_type: ['label_added'], label },
		{ event_type: ['status_change'], old_status: text, new_status: text },
		{ event_type: ['assigned_user'], by_user: { type: 'email', address: text, name: text } },
		{ event_type: ['ticket_mentioned'], by_user: { type: 'external', external_id: text, external_url: text } },
		{ event_type: [text] },
		{ event_type: ['user_mentioned'], by_user: person, from_ticket: ticket },
	].map((event, at) => ({ id: 900 - at, created: ticket['created'], ...rest, ...event }));
}
