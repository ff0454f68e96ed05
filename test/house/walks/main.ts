// `npm run walks [-- --tighten] [word…]`: figures of three walks through the real program beside their limits.
import '../../support/vscodeStub.ts';
import { shownProblem } from '../../harness/plainProblem.ts';
import { printFigures } from '../table.ts';
import { walkFigures } from './walkFigures.ts';
import { openTracer } from './tracer.ts';

async function walk(args: readonly string[]): Promise<number> {
	const stub = 'test/support/vscodeValues.ts';
	const readMail = 'export function readPlainMail(envelope: string): ReadableMail | undefined {';
	const parseDiff = 'export function parseDiff(text: string): ParsedDiff {';
	const newRow = 'constructor(label: string, collapsibleState: number) {';
	const tracer = openTracer([
		{ file: stub, behind: newRow, moment: 'row', about: 'label' },
		{ file: stub, behind: 'stubbed.executed.push(command);', moment: 'command', about: 'command' },
		{ file: 'packages/patchmail/src/mail/mailReader.ts', behind: readMail, moment: 'mail', about: "''" },
		{ file: 'packages/patchmail/src/patch/parseDiff.ts', behind: parseDiff, moment: 'parsed', about: 'text' },
	]);
	// Loaded now, because the tracer plants statements in modules from here on.
	const { takeWalks } = await import('./walks.ts');
	const walks = await takeWalks(tracer);
	return printFigures(walkFigures(walks), args);
}

try {
	process.exit(await walk(process.argv.slice(2)));
} catch (error) {
	console.error(shownProblem(error));
	process.exit(1);
}
