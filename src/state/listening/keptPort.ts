import * as v from 'valibot';
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
