import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { PlainProblem } from './plainProblem.ts';

const ready = v.object({
	ready: v.literal(true),
	areas: v.object({ meta: v.string(), todo: v.string(), git: v.string(), lists: v.string() }),
});

export type ReadyForge = v.InferOutput<typeof ready> & {
	/** The line itself, by which an editor finds this forge. */
	readonly line: string;
};

/** Waits for the sample forge's line of JSON; its other lines are for people. */
export function readyForge(child: ChildProcess): Promise<ReadyForge> {
	return new Promise((resolve, reject) => {
		let errors = '';
		child.stderr?.on('data', (chunk: Buffer) => {
			errors += chunk.toString();
		});
		child.once('error', reject);
		child.once('exit', (code) => reject(new PlainProblem(`The sample forge ended with ${code}.\n${errors}`)));
		if (child.stdout !== null) {
			createInterface(child.stdout).on('line', (line) => {
				if (line.startsWith('{')) {
					try {
						resolve({ ...v.parse(ready, JSON.parse(line)), line });
					} catch (error) {
						reject(
							new PlainProblem(`The sample forge said something else than where it is: ${line}`, { cause: error }),
						);
					}
				}
			});
		}
	});
}
