import assert from 'node:assert/strict';
import { Emitter } from '@forge-desk/base/event.ts';
import { timeLimit } from '../src/runProgram.ts';
import { fakeClock } from '../../../test/support/fakeClock.ts';

suite('time limit', () => {
	test('pauses while a question is open, every time', () => {
		const clock = fakeClock();
		const changes = new Emitter<void>();
		let isOpen = false;
		const set = (next: boolean): void => {
			isOpen = next;
			changes.fire();
		};
		const limit = timeLimit(5000, clock, { isOpen: () => isOpen, onDidChange: changes.event });
		clock.advance(2000);
		set(true);
		clock.advance(3_600_000);
		set(false);
		clock.advance(2000);
		set(true);
		set(true);
		clock.advance(3_600_000);
		set(false);
		set(false);
		clock.advance(999);
		assert.equal(limit.signal.aborted, false);
		clock.advance(1);
		assert.equal(limit.signal.aborted, true);
	});

	test('starts after a question that is open from the start, and never aborts after disposal', () => {
		const clock = fakeClock();
		const changes = new Emitter<void>();
		let isOpen = true;
		const limit = timeLimit(5000, clock, { isOpen: () => isOpen, onDidChange: changes.event });
		clock.advance(10_000);
		isOpen = false;
		changes.fire();
		clock.advance(4999);
		assert.equal(limit.signal.aborted, false);
		limit.dispose();
		clock.advance(10_000);
		assert.equal(limit.signal.aborted, false);
	});

	test('aborts at its time without questions', () => {
		const clock = fakeClock();
		const limit = timeLimit(5000, clock, undefined);
		clock.advance(5000);
		assert.equal(limit.signal.aborted, true);
	});
});
