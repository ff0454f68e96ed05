// `npm run walks`: what runs between an event and its result, in three walks through the real program, beside the
// figures of docs/walks.md. `--write` writes that file anew; other arguments are words of rows that are to be shown with
// what they counted.
import '../../support/vscodeStub.ts';
import { shownProblem } from '../../harness/plainProblem.ts';
import { tellFigures } from '../tellFigures.ts';
import { walkFigures, walksPage } from './page.ts';
import { openTracer } from './tracer.ts';

async function walk(args: readonly string[]): Promise<number> {
	const tracer = openTracer([
		{
			file: 'test/support/vscodeValues.ts',
			behind: 'constructor(label: string, collapsibleState: number) {',
			moment: 'row',
			about: 'label',
		},
		{
			file: 'test/support/vscodeValues.ts',
			behind: 'stubbed.executed.push(command);',
			moment: 'command',
			about: 'command',
		},
		{
			file: 'src/mail/mailReader.ts',
			behind: 'export function readPlainMail(envelope: string): ReadableMail | undefined {',
			moment: 'mail',
			about: "''",
		},
		{
			file: 'src/patch/parseDiff.ts',
			behind: 'export function parseDiff(text: string): ParsedDiff {',
			moment: 'parsed',
			about: 'text',
		},
	]);
	// Loaded now, because statements are planted in what is loaded from here on.
	const { takeWalks } = await import('./walks.ts');
	const walks = await takeWalks(tracer);
	return tellFigures({ page: 'docs/walks.md', figures: walkFigures(walks), text: walksPage(walks) }, args);
}

try {
	process.exit(await walk(process.argv.slice(2)));
} catch (error) {
	console.error(shownProblem(error));
	process.exit(1);
}
