import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fieldsOf, startSampleForge, type SampleForge } from '../../../test/support/sampleForge.ts';
import { sharedForge } from '../../../test/support/sharedForge.ts';

const trackers = [
	['alice', 'lantern'],
	['alice', 'lantern-plugins'],
	['alice', 'website'],
	['alice', 'announce'],
	['bob', 'wick'],
	['carol', 'lantern-docs'],
] as const;

/** Responses for the tickets of the world. */
async function tellWorld(forge: SampleForge): Promise<readonly string[]> {
	const parts: string[] = [];
	for (const [owner, name] of trackers) {
		const path = `/api/user/~${owner}/trackers/${name}`;
		for (const rest of ['', '/labels', '/tickets', '/tickets/1/events']) {
			parts.push((await forge.call('todo', 'GET', `${path}${rest}`)).text);
		}
	}
	return parts;
}

suite('Sample forge: sample tickets', () => {
	let forge: SampleForge;

	suiteSetup(async () => {
		forge = await sharedForge('document');
	});

	test('two starts and a reset give the same tickets, with the same ids and times', async () => {
		const first = await tellWorld(forge);
		await forge.call('todo', 'PUT', '/api/trackers/lantern/tickets/1', { body: { comment: 'changed' } });
		await forge.reset();
		assert.deepEqual(await tellWorld(forge), first);
		const other = await startSampleForge({ dialect: 'document' });
		const second = await tellWorld(other);
		await other.stop();
		assert.deepEqual(second, first);
	});

	test('has 400 tickets with every status and resolution, labels and assignees', async () => {
		const seen = new Set<string>();
		const counts = { tickets: 0, labelled: 0, assigned: 0 };
		for (const [owner, name] of trackers) {
			const tickets = await forge.call('todo', 'GET', `/api/user/~${owner}/trackers/${name}/tickets`);
			for (const ticket of Object.values(fieldsOf(tickets.json)).map(fieldsOf)) {
				seen.add(String(ticket['status'])).add(String(ticket['resolution']));
				counts.tickets++;
				counts.labelled += Array.isArray(ticket['labels']) && ticket['labels'].length > 0 ? 1 : 0;
				counts.assigned += Array.isArray(ticket['assignees']) && ticket['assignees'].length > 0 ? 1 : 0;
			}
		}
		assert.ok(counts.tickets >= 400, String(counts.tickets));
		assert.ok(counts.labelled > 200 && counts.assigned > 100, JSON.stringify(counts));
		const words =
			'reported confirmed in_progress pending resolved unresolved fixed implemented wont_fix by_design invalid duplicate not_our_bug';
		assert.deepEqual([...seen].toSorted(), words.split(' ').toSorted());
	});

	test('the newest ticket has a long discussion with events of all nine kinds', async () => {
		const tickets = await forge.call('todo', 'GET', '/api/trackers/lantern/tickets');
		const events = await forge.call(
			'todo',
			'GET',
			`/api/trackers/lantern/tickets/${String(tickets.at(0, 'id'))}/events`,
		);
		const list = Object.values(fieldsOf(events.json)).map(fieldsOf);
		assert.ok(list.length > 40);
		const kinds = new Set(list.flatMap((event) => Object.values(fieldsOf(event['event_type']))));
		assert.deepEqual([...kinds].map(String).toSorted(), [
			'assigned_user',
			'comment',
			'created',
			'label_added',
			'label_removed',
			'status_change',
			'ticket_mentioned',
			'unassigned_user',
			'user_mentioned',
		]);
		const ids = list.map((event) => Number(event['id']));
		assert.deepEqual(
			ids,
			ids.toSorted((a, b) => b - a),
		);
	});

	test('closing standard input ends the process, as does SIGTERM', async () => {
		const other = await startSampleForge();
		const exit = once(other.process, 'exit');
		other.process.stdin?.end();
		assert.deepEqual(await exit, [0, null]);
		const third = await startSampleForge();
		const end = once(third.process, 'exit');
		third.process.kill('SIGTERM');
		assert.deepEqual(await end, [0, null]);
	});
});
