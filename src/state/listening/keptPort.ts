import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { onDispose, type Disposable } from '../../base/lifecycle.ts';
import { keptIn, type KeptText } from '../shared/keptText.ts';

/** The port that was free when somebody first listened: addresses that forges know are good as long as it is the same. */
export interface KeptPort {
	/** 0 before the first time, and where the text can't be read. */
	read(): number;
	/** A disk that refuses loses nothing that is known now. */
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

/**
 * Looks whether another window has chosen a port, ever more rarely, until `look` answers that there is no more to look for:
 * nothing tells of it but what that window keeps.
 */
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
