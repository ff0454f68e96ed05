import type { Clock } from '../../base/clock.ts';
import { onDispose, type Disposable } from '../../base/lifecycle.ts';
import type { Background } from './backgroundLoop.ts';

/** Polls for missed deliveries. */
export interface CatchUp extends Disposable {
	/** Makes everything due now. For two minutes, polls may also spend the budget share of deliveries. */
	begin(): void;
}

const lentMs = 2 * 60_000;

export function catchUp({ loop, budget }: Background, clock: Pick<Clock, 'after'>): CatchUp {
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
		begin() {
			end();
			lent = lend();
			loop.hurry();
		},
		dispose: end,
	};
}
