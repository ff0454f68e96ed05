import type { Figure, Measured, Measurement, Outcome, Size } from './measurement.ts';

const words = { met: 'met    ', 'not met': 'NOT MET', drifted: 'drifted' } as const;

/** Every figure in a line, then one line that counts them. */
export function printedResults(outcomes: readonly Outcome[], size: Size): readonly string[] {
	const broken = brokenNames(outcomes);
	const figures = figuresOf(outcomes);
	const judged = size === 'full' ? figures.map(printedFigure) : [];
	const reasons = outcomes.flatMap((outcome) =>
		outcome.kind === 'broken' ? [`broken  ${outcome.name}: ${outcome.reason}`] : [],
	);
	const counted = (['met', 'not met', 'drifted'] as const)
		.map((verdict) => `${figures.filter((figure) => figure.verdict === verdict).length} ${verdict}`)
		.join(', ');
	const works = outcomes.length - broken.length;
	const closing = [
		works === 1 ? '1 measurement works' : `${works} measurements work`,
		...(broken.length === 0 ? [] : [`${broken.length} broken: ${broken.join(', ')}`]),
	].join('; ');
	return [...judged, ...reasons, ...(size === 'full' ? [`Figures: ${counted}`] : []), closing];
}

function printedFigure({ name, goal, shown, verdict, detail }: Figure): string {
	return `${words[verdict]} ${name}: ${shown} (goal ${goal}); ${detail}`;
}

/** What a run says to whoever started it: 1 when something is broken. A goal that was missed breaks nothing. */
export function exitStatus(outcomes: readonly Outcome[]): number {
	return brokenNames(outcomes).length === 0 ? 0 : 1;
}

function brokenNames(outcomes: readonly Outcome[]): readonly string[] {
	return outcomes.filter(({ kind }) => kind === 'broken').map(({ name }) => name);
}

function figuresOf(outcomes: readonly Outcome[]): readonly Figure[] {
	return outcomes.flatMap((outcome) => (outcome.kind === 'measured' ? outcome.figures : []));
}

/** One row for each figure, and one for each measurement that is broken. */
export function figureTable(
	outcomes: readonly Outcome[],
	measurements: readonly Pick<Measurement, 'name' | 'feltBy'>[],
): readonly string[] {
	const feltBy = new Map(measurements.map((each) => [each.name, each.feltBy]));
	return [
		row(['figure', 'felt by', 'goal', 'measured', 'result', 'detail']),
		row(['---', '---', '---', '---', '---', '---']),
		...outcomes.flatMap((outcome) =>
			outcome.kind === 'broken'
				? [row([outcome.name, feltBy.get(outcome.name) ?? '', '', '', 'broken', outcome.reason.split('\n')[0] ?? ''])]
				: outcome.figures.map(({ name, goal, shown, verdict, detail }) =>
						row([
							name,
							feltBy.get(outcome.name) ?? '',
							goal,
							shown,
							verdict,
							detailWithAttempts(detail, verdict, outcome),
						]),
					),
		),
	];
}

function detailWithAttempts(detail: string, verdict: Figure['verdict'], { attempts }: Measured): string {
	return verdict === 'drifted' ? `${detail}; the baseline drifted too far to judge, ${attempts} times` : detail;
}

/** How long each measurement took. */
export function timeTable(outcomes: readonly Outcome[]): readonly string[] {
	return [
		row(['measurement', 'time', 'measured']),
		row(['---', '---:', '---:']),
		...outcomes.map((outcome) =>
			row([
				`\`${outcome.name}\``,
				`${Math.round(outcome.tookMs / 1000)} s`,
				outcome.kind === 'broken' ? 'broken' : outcome.attempts === 1 ? 'once' : `${outcome.attempts} times`,
			]),
		),
	];
}

function row(cells: readonly string[]): string {
	return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** A table of two columns, from which a program can read `what`. */
export function factTable(facts: readonly (readonly [string, string])[]): readonly string[] {
	return [row(['what', 'value']), row(['---', '---']), ...facts.map((fact) => row(fact))];
}
