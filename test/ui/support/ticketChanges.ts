import * as v from 'valibot';
import type { FaultMatch, SampleFault, SampleForge } from '../../support/sampleForge.ts';

const looked = v.object({ status: v.string(), labels: v.array(v.unknown()) });

/** A ticket's status in lower case, and its number of labels. `ticket` as `~alice/herd#1`. */
export async function ticketState(
	forge: SampleForge,
	ticket: string,
): Promise<{ readonly status: string; readonly labels: number }> {
	const { status, labels } = v.parse(looked, await forge.act('/todo/look', { ticket }));
	return { status, labels: labels.length };
}

/** The requests that change the ticket of this number, in the forge's protocol. */
export function changeOfTicket({ dialect }: SampleForge, number: number): FaultMatch {
	return dialect === 'graphql'
		? { area: 'todo', question: `^mutation .*"ticketId":${number}\\b` }
		: { area: 'todo', method: 'PUT', path: `/tickets/${number}$` };
}

/** The forge's rejection of a change. */
export function refusedChange({ dialect }: SampleForge): SampleFault {
	const body = { errors: [{ message: 'Access denied', path: ['updateTicketStatus'] }], data: null };
	return dialect === 'graphql'
		? { kind: 'status', status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
		: { kind: 'status', status: 401 };
}

/** The numbers of the tickets in change requests since the last reset, one per request. */
export async function changedTickets(forge: SampleForge): Promise<readonly number[]> {
	return (await forge.requests()).flatMap(({ method, path, question }) => {
		const number =
			forge.dialect === 'graphql' ? /^mutation .*"ticketId":(\d+)/.exec(question ?? '') : /\d+$/.exec(path);
		const isChange = forge.dialect === 'graphql' || method === 'PUT';
		return isChange && number ? [Number(number[1] ?? number[0])] : [];
	});
}
