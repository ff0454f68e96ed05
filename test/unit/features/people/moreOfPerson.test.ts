import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/state/connection.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../support/standFor.ts';

const { personReading } = await import('../../../../src/features/people/personReading.ts');

suite('reading on about a person', () => {
	test('asks for that person and that section, and is under way until it is there', async () => {
		const asked: (readonly unknown[])[] = [];
		const going = Promise.withResolvers<void>();
		const more = async (...args: readonly unknown[]): Promise<void> => {
			asked.push(args.slice(0, 2));
			await going.promise;
		};
		const connection = standFor<Connection>({ me: '~alice', people: { more } });
		let changes = 0;
		const reading = personReading({
			name: '~bob',
			problems: quietProblems,
			changed: () => (changes += 1),
			signal: new AbortController().signal,
		});
		const done = reading.more(connection, 'trackers');
		assert.deepEqual([reading.isReading('trackers'), reading.isReading('lists'), changes], [true, false, 1]);
		going.resolve();
		await done;
		assert.deepEqual([reading.isReading('trackers'), changes, asked], [false, 2, [['~bob', 'trackers']]]);
	});
});
