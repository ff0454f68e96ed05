import assert from 'node:assert/strict';
import { runAtOnce } from '@forge-desk/base/timeSlice.ts';
import { reviewComments } from '../../src/review/reviewComments.ts';
import { readSeries } from '../../src/series/series.ts';
import type { SeriesMail } from '../../src/series/seriesReading.ts';
import { makeSeriesMail } from '../../../../test/support/makeSeries.ts';

const folder = 'docs/bindings/display/controllers/widgets/example,long-widget-controller';
const message = [
	'Describe the widget behind the long bus, and count',
	'its lamps once.',
	'',
	'Signed-off-by: Ann <ann@forge.test>',
];
const properties = [
	'names:',
	'  - Ann Example <ann@forge.test>',
	'',
	'required:',
	'  - names',
	'      - NAME',
	'  - reg',
];
const newFile = [
	`diff --git a/${folder}.yaml b/${folder}.yaml`,
	'new file mode 100644',
	'index 0000000..1234567',
	'--- /dev/null',
	`+++ b/${folder}.yaml`,
	`@@ -0,0 +1,${properties.length} @@`,
	...properties.map((line) => `+${line}`),
];
const change = [
	`diff --git a/${folder}.c b/${folder}.c`,
	'index 1234567..89abcde 100644',
	`--- a/${folder}.c`,
	`+++ b/${folder}.c`,
	'@@ -10,5 +10,6 @@ int lamps(void)',
	' {',
	'-\tint found = 0;',
	'-\tfor_each_lamp(lamp)',
	'+\tstatic int found = -1;',
	'+\tif (found < 0)',
	'+\t\tfound = count_lamps();',
	' \treturn found;',
	' }',
];
const patches = { 'a new file': newFile, 'a change with context below': change, 'two files': [...change, ...newFile] };

const noBreak = '\u00A0';

/** Blanks as composers of HTML send them. */
function withNoBreakSpaces(line: string): string {
	return line
		.replaceAll('\t', '        ')
		.replaceAll(/ {2,}/g, (run) => `${noBreak.repeat(run.length - 1)} `)
		.replace(/^ /, noBreak);
}

/** Breaks at column 72. The rest gets the mark `rest`. */
function broken(line: string, rest: string): readonly string[] {
	const [first = '', ...others] = line.match(/.{1,72}(?:\s|$)|\S+/g) ?? [''];
	return [`> ${first.trimEnd()}`, ...others.map((text) => `${rest}${text.trimEnd()}`)];
}

const mailers: Readonly<Record<string, (line: string) => readonly string[]>> = {
	plain: (line) => [`> ${line}`],
	'no-break spaces': (line) => [`> ${withNoBreakSpaces(line)}`],
	'no-break spaces behind the marks': (line) => [`>${noBreak}${withNoBreakSpaces(line)}`],
	'marked rests of long lines': (line) => broken(withNoBreakSpaces(line), '> '),
	'rests of long lines without a mark': (line) => broken(line, ''),
	'no-break spaces, and rests without a mark': (line) => broken(withNoBreakSpaces(line), ''),
	'a second level': (line) => [`> > ${line}`],
	'a second level of no-break spaces': (line) => [`>${noBreak}>${noBreak}${withNoBreakSpaces(line)}`],
};

function sent(id: number, body: readonly string[], parentId?: number): SeriesMail {
	const subject = id === 1 ? '[PATCH] widget' : 'Re: [PATCH] widget';
	return makeSeriesMail({
		id,
		subject,
		body: body.join('\n'),
		from: id === 1 ? 'ann@forge.test' : 'bob@forge.test',
		...(parentId !== undefined && { parentId }),
	});
}

/** The changed lines of a diff, by index. */
function changedLines(lines: readonly string[]): readonly number[] {
	return lines.flatMap((line, at) => (/^[+-](?!\+\+ |-- ).*\w/.test(line) ? [at] : []));
}

suite('quotations of mailers', () => {
	for (const [content, diff] of Object.entries(patches)) {
		const lines = [...message, '---', '', ...diff];
		const patch = sent(1, [...lines, '-- ', '2.39.5', '']);
		const series = readSeries([patch]);
		const diffText = series.patches[0]!.patch.diffText;
		/** The commented line, or the kind of another place, with the first line of each comment. */
		const placesOf = (body: readonly string[], parentId: number): readonly string[] =>
			runAtOnce(reviewComments([patch, sent(2, body, parentId)], series)).map(({ place, prose }) => {
				const where = place.kind === 'line' ? diffText.slice(place.start, place.end).split('\n').at(-1) : place.kind;
				return `${where}: ${prose.split('\n')[0]}`;
			});

		for (const [mailer, quoted] of Object.entries(mailers)) {
			const middles = mailer.startsWith('a second level') ? [[], ['> I am not sure about this one.', '> ']] : [[]];
			test(`${mailer}: a comment below each changed line of ${content} is on that line`, () => {
				for (const at of changedLines(lines)) {
					for (const middle of middles) {
						const above = [...lines.slice(0, at + 1).flatMap(quoted), ...middle, '', 'Should this be here?', ''];
						const below = lines.slice(at + 1).flatMap(quoted);
						const bodies = [above, [...above, ...below], ['Hi Ann,', '', ...above, 'Regards,', 'Bob']];
						for (const body of bodies) {
							// The second parent is not in the thread.
							for (const parent of [1, 99]) {
								assert.deepEqual(placesOf(body, parent), [`${lines[at]}: Should this be here?`], body.join('\n'));
							}
						}
					}
				}
			});
		}

		test(`a verdict below the last change of ${content} is about the patch`, () => {
			const above = lines.slice(0, changedLines(lines).at(-1)! + 1).map((line) => `> ${line}`);
			for (const said of ['Applied, thanks!', 'Looks good to me.']) {
				assert.deepEqual(placesOf([...above, '', said], 1), [`general: ${said}`]);
			}
		});
	}
});
