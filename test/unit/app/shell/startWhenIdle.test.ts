import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { Desk } from '../../../../src/editor/desk.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { standFor } from '../../../support/standFor.ts';

const { startWhenIdle } = await import('../../../../src/app/shell/shell.ts');

/** A started window, and the number of times that it opened the desk. */
function started(isSignedIn: boolean, openDesk: () => Promise<Desk> = async () => standFor<Desk>({})) {
	const clock = fakeClock();
	const seen = { opened: 0, timers: 0 };
	const context = {
		globalState: standFor<vscode.ExtensionContext['globalState']>({ get: () => isSignedIn || undefined }),
	};
	const used = new Emitter<void>();
	const starting = startWhenIdle(
		context,
		async () => {
			seen.opened += 1;
			return openDesk();
		},
		(delayMs, work) => {
			seen.timers += 1;
			return clock.after(delayMs, work);
		},
		(listener) => used.event(listener),
	);
	return { clock, seen, starting, use: () => used.fire() };
}

suite('start of an idle window', () => {
	test('opens nothing and sets no timer without an account', () => {
		const { clock, seen } = started(false);
		clock.advance(60_000);
		assert.deepEqual(seen, { opened: 0, timers: 0 });
	});

	test('opens the desk with an account, five seconds after the start and not before', () => {
		const { clock, seen } = started(true);
		clock.advance(4999);
		assert.equal(seen.opened, 0);
		clock.advance(1);
		assert.equal(seen.opened, 1);
		clock.advance(60_000);
		assert.deepEqual(seen, { opened: 1, timers: 1 });
	});

	test('waits until the window has been idle for five seconds, or for a minute at most', () => {
		const { clock, seen, use } = started(true);
		for (let second = 0; second < 23; second += 1) {
			clock.advance(1000);
			use();
		}
		clock.advance(4999);
		assert.equal(seen.opened, 0);
		clock.advance(5000);
		assert.equal(seen.opened, 1);
		const busy = started(true);
		for (let second = 0; second < 59; second += 1) {
			clock.advance(1000);
			busy.clock.advance(1000);
			busy.use();
		}
		assert.equal(busy.seen.opened, 0);
		busy.clock.advance(1000);
		busy.use();
		assert.equal(busy.seen.opened, 1);
		assert.equal(seen.opened, 1);
	});

	test('opens nothing in a window that closes before', () => {
		const { clock, seen, starting } = started(true);
		starting.dispose();
		clock.advance(60_000);
		assert.equal(seen.opened, 0);
	});

	test('leaves a desk that does not open to the next use', async () => {
		const unheard: unknown[] = [];
		const hear = (error: unknown): void => void unheard.push(error);
		process.on('unhandledRejection', hear);
		const { clock, seen } = started(true, () => Promise.reject(new Error('no room')));
		clock.advance(5000);
		await new Promise(setImmediate);
		process.off('unhandledRejection', hear);
		assert.deepEqual([seen.opened, unheard], [1, []]);
	});
});
