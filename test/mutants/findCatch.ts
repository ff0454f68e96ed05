import type { FilesRun } from './runFiles.ts';

/** Runs files of tests within the same limits, with the fault in place or without it. */
export interface Runs {
	readonly withFault: (files: readonly string[]) => Promise<FilesRun>;
	readonly without: (files: readonly string[]) => Promise<FilesRun>;
}

export interface Caught {
	/** What noticed the fault; undefined when nothing does. */
	readonly by: string | undefined;
	/** Test files that did not pass with the fault, and then did, or did not without it either: they say nothing. */
	readonly doubtful: readonly string[];
}

/**
 * Which of the files notices the fault. A machine that is busy makes tests fail, hang and die, too: a fault is noticed by
 * what does not pass with it twice, and passes without it at this very time.
 */
export async function findCatch(files: readonly string[], { withFault, without }: Runs): Promise<Caught> {
	let left = files;
	const doubtful: string[] = [];
	while (left.length > 0) {
		const run = await withFault(left);
		if (run.kind === 'passed') {
			break;
		}
		const seen = seenIn(run, left);
		const again = await withFault(seen);
		if (again.kind !== 'passed' && (await without(seen)).kind === 'passed') {
			return { by: shown(run, seen), doubtful };
		}
		doubtful.push(...seen);
		left = left.filter((file) => !seen.includes(file));
	}
	return { by: undefined, doubtful };
}

/** The file that failed alone; all of them where it is not known which one it was. */
function seenIn(run: FilesRun, files: readonly string[]): readonly string[] {
	return run.kind === 'failed' && files.includes(run.test.file) ? [run.test.file] : files;
}

function shown(run: Exclude<FilesRun, { readonly kind: 'passed' }>, files: readonly string[]): string {
	switch (run.kind) {
		case 'failed':
			return `${run.test.file} › ${run.test.title}`;
		case 'died':
			return `the process of ${files.join(', ')} ended early: ${run.output.trim().split('\n').at(-1) ?? ''}`;
		case 'hung':
			return `${files.join(', ')} no longer end`;
	}
}
