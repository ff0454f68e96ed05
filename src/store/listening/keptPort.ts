import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { onDispose, type Disposable } from '../../base/lifecycle.ts';
import { keptIn, type KeptText } from '../shared/keptText.ts';

/** The chosen port. Forges know it as part of webhook addresses, so it must not change. */
export interface KeptPort {
	/** 0 before the first choice, and for an invalid text. */
	read(): number;
	/** A failed write keeps the known port. */
	write(port: number): Promise<void>;
}

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));

export function keptPort(text: KeptText): KeptPort {
	function read(): number {
		try {
			return keptIn(text.read(), port, 0);
		} catch {
			return 0;
		}
	}
	return {
		read,
		async write(next) {
			if (next !== read()) {
				await text.write(JSON.stringify(next)).catch(() => undefined);
			}
		},
	};
}

const firstLookMs = 500;
const mostLookMs = 10_000;

/** Polls with back-off until `look` returns false. The stored text is the only sign of another window's choice. */
export function lookForPort(clock: Pick<Clock, 'after'>, look: () => boolean): Disposable {
	let timer: Disposable | undefined;
	function wait(afterMs: number): void {
		timer = clock.after(afterMs, () => {
			if (look()) {
				wait(Math.min(mostLookMs, 2 * afterMs));
			}
		});
	}
	wait(firstLookMs);
	return onDispose(() => timer?.dispose());
}
