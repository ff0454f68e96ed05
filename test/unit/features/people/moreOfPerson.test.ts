import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Connection } from '../../../../src/store/connection.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { standFor } from '../../../support/standFor.ts';

const { personReading } = await import('../../../../src/features/people/personPage.ts');

const devel = { owner: '~bob', name: 'devel' };

/** Lets pending promises settle. */
function settled(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

suite('loading more of a person', () => {
	test('requests the given person and section, and reports itself as running until the response', async () => {
		const asked: (readonly unknown[])[] = [];
		const going = Promise.withResolvers<void>();
		const more = async (...args: readonly unknown[]): Promise<void> => {
			asked.push(args.slice(0, 2));
			await going.promise;
		};
		const connection = standFor<Connection>({ me: '~alice', people: { more } });
		let changes = 0;
		const reading = personReading('~bob', quietProblems, () => (changes += 1), new AbortController().signal);
		const done = reading.more(connection, 'trackers');
		assert.deepEqual([reading.isReading('trackers'), reading.isReading('lists'), changes], [true, false, 1]);
		going.resolve();
		await done;
		assert.deepEqual([reading.isReading('trackers'), changes, asked], [false, 2, [['~bob', 'trackers']]]);
	});

	test('cancels the previous walk over own threads when a new one starts', async () => {
		const walks: AbortSignal[] = [];
		const read = async (_: unknown, signal: AbortSignal): Promise<void> => {
			walks.push(signal);
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			signal.throwIfAborted();
		};
		const connection = standFor<Connection>({
			me: '~bob',
			people: {
				known: () => undefined,
				readSent: async () => undefined,
				sent: () => ({ items: [{ ref: { list: devel, id: 1 }, patchset: { status: 'proposed' } }] }),
			},
			reviews: { known: () => undefined, read },
		});
		const page = new AbortController();
		const reading = personReading('~bob', quietProblems, () => undefined, page.signal);
		const first = Promise.allSettled([reading.more(connection, 'patchsets')]);
		await settled();
		const second = Promise.allSettled([reading.more(connection, 'patchsets')]);
		await settled();
		assert.deepEqual(
			walks.map(({ aborted }) => aborted),
			[true, false],
		);
		page.abort();
		await Promise.all([first, second]);
	});
});
