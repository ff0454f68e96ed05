import { seconds, type StageResult } from './stages.ts';

function passedIn(results: readonly StageResult[], name: string): number {
	return results.find((result) => result.name === name)?.tally?.passed.length ?? 0;
}

/** `3 unit`, or nothing without that stage. */
function part(results: readonly StageResult[], name: string, said = name): readonly string[] {
	return results.some((result) => result.name === name) ? [`${passedIn(results, name)} ${said}`] : [];
}

function contractPart(results: readonly StageResult[]): readonly string[] {
	const tally = results.find(({ name }) => name === 'contract')?.tally;
	const skipped: Readonly<Record<string, number>> = tally?.skippedIn ?? {};
	const told = Object.entries(tally?.passedIn ?? {}).map(([dialect, count]) => {
		const left = skipped[dialect] ?? 0;
		return `${dialect} ${count}${left === 0 ? '' : ` and ${left} skipped`}`;
	});
	return part(results, 'contract').map((text) => (told.length === 0 ? text : `${text} (${told.join(', ')})`));
}

function editorPart(results: readonly StageResult[]): readonly string[] {
	const [host, workbench] = [passedIn(results, 'editor'), passedIn(results, 'ui')];
	const ran = results.some(({ name }) => name === 'editor' || name === 'ui');
	return ran ? [`${host + workbench} in-editor (extension host ${host}, workbench ${workbench})`] : [];
}

export function closingLine(results: readonly StageResult[], ms: number): string {
	const parts = [
		...part(results, 'unit'),
		...part(results, 'sampleForge', 'sample forge'),
		...contractPart(results),
		...part(results, 'bundle'),
		...part(results, 'page'),
		...editorPart(results),
		...part(results, 'commands'),
	];
	const notRun = results.reduce((sum, { tally }) => sum + (tally?.notRun.length ?? 0), 0);
	const left = notRun === 0 ? '' : `, ${notRun} not run`;
	const verdict = failures(results).length === 0 ? '' : ', but not all is well';
	return `forge-desk: ${parts.length === 0 ? 'no tests' : parts.join(', ')} passed in ${seconds(ms)}${left}${verdict}`;
}

/** The full error is printed where its stage ends. */
const [mostErrorLines, mostErrorWidth] = [12, 200];

/** A line for each failed stage, then titles of its tests and the beginning of each error. */
export function failures(results: readonly StageResult[]): readonly string[] {
	return results
		.filter((result) => result.problem !== undefined)
		.flatMap(({ name, problem, tally }) => [
			`FAILED ${name}: ${problem}`,
			...(tally?.failed ?? []).flatMap(({ title, error }) => [`       ${title}`, ...beginningOf(error)]),
			...(tally?.notRun ?? []).map((title) => `       not run: ${title}`),
		]);
}

function beginningOf(error: string): readonly string[] {
	return error
		.split('\n')
		.filter((line) => line.trim() !== '')
		.slice(0, mostErrorLines)
		.map((line) => `         ${line}`.slice(0, mostErrorWidth));
}

export function timeTable(results: readonly StageResult[]): readonly string[] {
	const took = results.filter(({ ms }) => ms > 0);
	const totalCpuMs = took.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
	const rows = [
		['stage', 'tests', 'wall s', 'CPU s'],
		...took.map(({ name, tally, ms, cpuMs }) => [
			name,
			String(tally?.passed.length ?? ''),
			inSeconds(ms),
			inSeconds(cpuMs),
		]),
		['all', '', '', inSeconds(totalCpuMs)],
	];
	return rows.map(([name = '', ...cells]) => `${name.padEnd(14)}${cells.map((cell) => cell.padStart(9)).join('')}`);
}

/** The table as data, for `test-results/summary.json`. Times in seconds. */
export function summaryOf(results: readonly StageResult[], ms: number): object {
	const inTenths = (each: number): number => Math.round(each / 100) / 10;
	const stages = results.map(({ name, tally, ms: wallMs, cpuMs, windows, problem }) => ({
		stage: name,
		wall: inTenths(wallMs),
		cpu: inTenths(cpuMs),
		...(tally === undefined
			? {}
			: { passed: tally.passed.length, failed: tally.failed.length, skipped: tally.skipped.length }),
		...(windows === undefined ? {} : { windows }),
		...(problem === undefined ? {} : { problem }),
	}));
	return { wall: inTenths(ms), cpu: inTenths(results.reduce((sum, { cpuMs }) => sum + cpuMs, 0)), stages };
}

function inSeconds(ms: number): string {
	return (ms / 1000).toFixed(1);
}
