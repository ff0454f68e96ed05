import type { Clock } from '../../base/clock.ts';
import { onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Background } from './backgroundLoop.ts';

const lentMs = 2 * 60_000;

/** Polls for missed deliveries. */
export function catchUp({ loop, budget }: Background, clock: Clock) {
	let lent: Disposable | undefined;

	function lend(): Disposable {
		const room = budget.lend();
		const timer = clock.after(lentMs, end);
		return onDispose(() => {
			timer.dispose();
			room.dispose();
		});
	}

	function end(): void {
		lent?.dispose();
		lent = undefined;
	}

	return {
		/** Makes everything due now. For two minutes, polls may also spend the budget share of deliveries. */
		begin() {
			end();
			lent = lend();
			loop.hurry();
		},
		dispose: end,
	};
}
