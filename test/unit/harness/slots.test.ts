import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { openSlots } from '../../harness/slots.ts';

suite('slots of a run', () => {
	test('all slots work at the same time, and a release starts the next waiter', async () => {
		const slots = openSlots(2);
		const first = await slots.take(0);
		await slots.take(0);
		let isThird = false;
		const third = slots.take(0).then(() => {
			isThird = true;
		});
		await turn();
		assert.equal(isThird, false);
		first();
		await third;
		assert.equal(isThird, true);
	});

	test('the lowest rank goes first, and equal ranks in order of arrival', async () => {
		const slots = openSlots(1);
		const first = await slots.take(0);
		const order: string[] = [];
		const work = async (rank: number, name: string): Promise<void> => {
			const giveBack = await slots.take(rank);
			order.push(name);
			giveBack();
		};
		const all = Promise.all([work(3, 'late'), work(1, 'early'), work(3, 'later'), work(2, 'middle')]);
		first();
		await all;
		assert.deepEqual(order, ['early', 'middle', 'late', 'later']);
	});

	test('releasing a slot twice frees one slot', async () => {
		const slots = openSlots(1);
		const giveBack = await slots.take(0);
		giveBack();
		giveBack();
		await slots.take(0);
		let isSecond = false;
		void slots.take(0).then(() => {
			isSecond = true;
		});
		await turn();
		assert.equal(isSecond, false);
	});
});
