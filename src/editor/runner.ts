import type { CommandId } from './commandIds.ts';
import type { CommandTable } from './feature.ts';
import type { Problems } from './problems.ts';
import type { Disposable } from '../base/lifecycle.ts';

/** Runs commands: one place for errors and for giving up when the window goes. */
export interface Runner extends Disposable {
	/** Resolves when the command has ended, however it ended; failures are shown, not thrown. */
	run(command: CommandId, subject: unknown): Promise<void>;
}

/** Commands come from all features; the manifest test proves that every contributed one is answered by one of them. */
export function runner(tables: readonly CommandTable[], problems: Problems): Runner {
	const ending = new AbortController();
	return {
		async run(command, subject) {
			const handler = tables.map((table) => table[command]).find((found) => found !== undefined);
			try {
				await handler?.(subject, ending.signal);
			} catch (error) {
				// Not awaited: a notice that nobody closes must not keep the command from ending.
				void problems.show(error);
			}
		},
		dispose: () => ending.abort(),
	};
}
