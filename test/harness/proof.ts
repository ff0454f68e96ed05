import type { StageRecord } from './proofRecords.ts';
import { seconds } from './stages.ts';
import type { TreeState } from './treeState.ts';

/** Rows of the first table in addition to stage results. */
export type ProofFacts = Readonly<Record<string, string>>;

export interface Proof {
	readonly state: TreeState;
	/** All stages in order. */
	readonly stages: readonly string[];
	/** Known results. */
	readonly records: readonly StageRecord[];
	readonly facts: ProofFacts;
}

type ProofResult = 'good' | 'bad' | 'incomplete';

function resultOf({ stages, records }: Proof): ProofResult {
	if (records.some(({ problem }) => problem !== null)) {
		return 'bad';
	}
	return stages.every((name) => records.some(({ stage }) => stage === name)) ? 'good' : 'incomplete';
}

function row(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |`;
}

function stageRow(name: string, known: StageRecord | undefined): string {
	if (known === undefined) {
		return row([name, '', '', '', '', '', '', '', 'not run']);
	}
	const { commit, passed, skipped, failed, notRun, ms, cpuMs, problem, note } = known;
	const counts = passed === null ? ['', '', '', ''] : [passed, skipped, failed.length, notRun.length].map(String);
	const said = [problem?.split('\n')[0] ?? 'good', note ?? []].flat().join(': ');
	return row([name, commit.slice(0, 8), ...counts, seconds(ms), seconds(cpuMs), said.replaceAll('|', '\\|')]);
}

/** Escapes a title to one line of plain text. */
function listItem(text: string): string {
	return `- ${text.replaceAll(/\s+/g, ' ').replaceAll(/([\\`*_[\]<>&#|])/g, '\\$1')}`;
}

function failedPart(known: StageRecord): readonly string[] {
	const { stage, problem, failed, notRun } = known;
	if (problem === null) {
		return [];
	}
	return [
		`## ${stage}: ${problem.split('\n')[0]}`,
		'',
		...failed.map(listItem),
		...notRun.map((title) => listItem(`not run: ${title}`)),
		...(failed.length + notRun.length > 0 ? [''] : []),
	];
}

/** The page with the results of `npm run prove`. */
export function proofPage(proof: Proof): string {
	const { state, stages, records, facts } = proof;
	const known = stages.flatMap((name) => records.filter(({ stage }) => stage === name));
	const seeds = [...new Set(known.map(({ seed }) => String(seed)))];
	const dates = known.map(({ date }) => date).toSorted();
	const head = {
		result: resultOf(proof),
		commit: state.changes === '' ? state.commit : `${state.commit} with uncommitted changes`,
		date: dates.at(-1) ?? '',
		seed: seeds.join(', '),
		...facts,
	};
	return [
		'# Proof',
		'',
		'Written by `npm run prove`: every test with its full counts. Not to be edited by hand.',
		'',
		row(['what', 'value']),
		row(['---', '---']),
		...Object.entries(head).map((each) => row(each)),
		'',
		row(['stage', 'commit', 'passed', 'skipped', 'failed', 'not run', 'time', 'CPU time', 'result']),
		row(['---', '---', '---:', '---:', '---:', '---:', '---:', '---:', '---']),
		...stages.map((name) =>
			stageRow(
				name,
				known.find(({ stage }) => stage === name),
			),
		),
		'',
		'A stage of an earlier commit, and a file of tests within a stage, stands where nothing that it reads has changed since (`test/harness/proofStages.ts`). Times are of all runs that a stage stands on. Skipped are tests of what is absent where they would run ([members of the port](port.md)).',
		'',
		...known.flatMap(failedPart),
	].join('\n');
}

const tablesHeading = '\n# Tables of single kinds\n';

function tablesOf(page: string): readonly string[] {
	const [, tables = ''] = page.split(tablesHeading);
	return tables
		.split(/^(?=## )/m)
		.map((table) => `${table.trim()}\n`)
		.filter((table) => table.startsWith('## '));
}

/**
 * The page with these tables, plus tables of `before` with other titles: a run of one kind has only its own tables.
 * Each table names its commit.
 */
export function withTables(page: string, tables: readonly string[], before = page): string {
	const [proof = ''] = page.split(tablesHeading);
	const byTitle = new Map([...tablesOf(before), ...tables].map((table) => [table.split('\n')[0], table]));
	return byTitle.size === 0 ? page : [proof.trimEnd(), tablesHeading, ...[...byTitle.values()].toSorted()].join('\n');
}
