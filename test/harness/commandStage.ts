import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, existsSync, globSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { limitMs } from '../support/pace.ts';
import type { Children } from './children.ts';
import { awaitLeftovers } from './leftovers.ts';
import { resultsFolder, root, tracesFolder, vsixFile } from './places.ts';
import { shownProblem } from './plainProblem.ts';
import { judge, readReport, type ReportLine, shownFailures } from './report.ts';
import { packageIsCurrent } from './sourceStamp.ts';
import { seconds, type Stage } from './stages.ts';
import { freshReport, reportPrefix } from './testRing.ts';
import { treeState } from './treeState.ts';

type TrialSize = 'smallest' | 'whole';

/** Runs a command; rejects when it fails its purpose. */
type Trial = (children: Children, size: TrialSize) => Promise<void>;

const trialLimitMs = 600_000;

/** Runs a command to its end, as `npm run` does, and resolves to its output. */
async function runCommand(children: Children, args: readonly string[], env = {}): Promise<string> {
	const main = join(root, 'test/harness/main.ts');
	const { code, output } = await children.run(process.execPath, [main, ...args], {
		env: { [reportPrefix]: 'trial-', ...env },
		limitMs: limitMs(trialLimitMs),
	});
	// The last line says why, and the rest may be cut where it is shown.
	const end = output.trimEnd().split('\n').at(-1) ?? '';
	assert.equal(code, 0, `it ended with ${code ?? 'no answer'}: ${end}\n${output}`);
	return output;
}

const coverageReport = v.object({ total: v.object({ lines: v.object({ pct: v.number() }) }) });

/**
 * By name, the commands that no other stage calls. The stage `build` has run the function of `npm run package`; a second run
 * would change the package under its users.
 */
const trials: Readonly<Record<string, Trial>> = {
	bench: async (children) => void (await runCommand(children, ['bench', '--smallest'])),
	house: async (children) => assert.match(await runCommand(children, ['house']), /^extension: code lines +\d+ /m),
	manifest: async (children) => void (await runCommand(children, ['manifest', '--check'])),
	languages: async (children) => assert.match(await runCommand(children, ['languages']), /, 0 to translate$/m),
	walks: async (children) => assert.match(await runCommand(children, ['walks']), /^patch: files run +\d+ /m),
	mutants: async (children) =>
		assert.match(await runCommand(children, ['mutants', '--smallest']), /^[1-9]\d* of \d+ mutants killed$/m),
	start: startsAndEnds,
	pictures: async (children, size) => {
		const folder = size === 'smallest' ? 'smallest/pictures' : 'pictures';
		const picture = join(resultsFolder, folder, 'triage.png');
		rmSync(picture, { force: true });
		await runCommand(children, ['pictures', size === 'smallest' ? '--smallest' : '--look']);
		assert.ok(statSync(picture).size > 10_000, 'the picture is empty');
	},
	'watch-test': async (children) => {
		await runCommand(children, ['watch-test', 'page/draftPace'], { FORGE_DESK_WATCH: 'trace' });
		assert.notDeepEqual(globSync('**/*.zip', { cwd: tracesFolder }), [], 'no trace was kept');
	},
	coverage: async (children) => {
		const report = join(resultsFolder, 'smallest/coverage/coverage-summary.json');
		rmSync(report, { force: true });
		await runCommand(children, ['coverage', '--smallest']);
		const { total } = v.parse(coverageReport, JSON.parse(readFileSync(report, 'utf8')));
		assert.ok(total.lines.pct > 0, 'no line was covered');
	},
	prove: async (children) => {
		const page = join(resultsFolder, 'smallest/proof.md');
		rmSync(page, { force: true });
		await runCommand(children, ['prove', '--smallest']);
		const written = readFileSync(page, 'utf8');
		assert.match(written, new RegExp(`^\\| commit \\| ${treeState().commit}\\b`, 'm'));
		assert.match(written, /^\| format \|.*\| good \|$/m);
	},
	pure: async (children) => {
		rmSync(join(resultsFolder, 'smallest/known-good.jsonl'), { force: true });
		const count = /^forge-desk: (\d+) unit passed/m.exec(await runCommand(children, ['pure', '--smallest']))?.[1];
		assert.ok(count !== undefined, 'it ran no test');
		// The second run skips every file, as `npm run check` does.
		assert.match(
			await runCommand(children, ['pure', '--smallest']),
			new RegExp(`^Skipped ${count} unit tests in `, 'm'),
		);
	},
	format: async (children) => void (await runCommand(children, ['format', '--check', 'package.json'])),
	package: async () => {
		assert.ok(existsSync(vsixFile), 'there is no package');
		assert.ok(packageIsCurrent(), 'the package is not that of these sources');
	},
};

/** Starts everything, fetches the editor's page, and stops as Ctrl-C does. */
async function startsAndEnds(children: Children): Promise<void> {
	const bootstrap = join(root, 'test/harness/bootstrap.mjs');
	const child = children.start(process.execPath, [bootstrap, 'start', '--web']);
	const closed = once(child, 'close');
	const timer = setTimeout(() => child.kill('SIGKILL'), limitMs(trialLimitMs));
	let output = '';
	child.stderr?.on('data', (chunk: Buffer) => {
		output += chunk.toString();
	});
	const address = await new Promise<string | undefined>((resolve) => {
		void closed.then(() => resolve(undefined));
		createInterface(child.stdout!).on('line', (line) => {
			output += `${line}\n`;
			const found = /^Ready in .* Open (http:\S+)$/.exec(line)?.[1];
			if (found !== undefined) {
				resolve(found);
			}
		});
	});
	try {
		assert.ok(address !== undefined, `it told no address:\n${output}`);
		const answer = await fetch(address);
		assert.match(await answer.text(), /workbench/, 'there is no editor at its address');
	} finally {
		child.kill('SIGTERM');
		await closed;
		clearTimeout(timer);
	}
}

function reportOf(name: string, start: number, error: unknown): ReportLine {
	const ms = performance.now() - start;
	return error === undefined
		? { state: 'passed', path: [name], ms }
		: { state: 'failed', path: [name], ms, error: shownProblem(error) };
}

async function errorOf(trial: (children: Children) => Promise<void>, children: Children): Promise<unknown> {
	let error: unknown;
	try {
		await trial(children);
	} catch (thrown) {
		error = thrown;
	}
	const left = await awaitLeftovers(children.mark);
	return left.length === 0
		? error
		: new Error(`processes were left behind:\n${left.map(({ command }) => command).join('\n')}`, { cause: error });
}

/** Commands that check sources, and the first one of a newcomer. The second part of `npm test` tries the others. */
const triedFirst: readonly string[] = ['house', 'manifest', 'languages', 'walks', 'package', 'start'];

/** A trial of each command that `npm test` itself does not need; in a part of `npm test`, of those in that part. */
export function commandsStage(size: TrialSize, part?: string): Stage {
	return {
		name: 'commands',
		needs: ['programs', 'build'],
		async run({ children, inSlot, slots }) {
			const report = freshReport('commands');
			const waiting = Object.entries(trials).filter(
				([name]) => part === undefined || triedFirst.includes(name) === (part === 'first'),
			);
			const runLane = async (): Promise<void> => {
				for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
					const [name, trial] = next;
					const start = performance.now();
					const own = children.part(name);
					const error = await errorOf((children) => trial(children, size), own);
					appendFileSync(report, `${JSON.stringify(reportOf(name, start, error))}\n`);
					const cpu = `${seconds(performance.now() - start)}, ${seconds(own.cpuMs())} CPU`;
					console.log(`  ${name}${error === undefined ? '' : ': failed'} (${cpu})`);
				}
			};
			await Promise.all(Array.from({ length: slots }, () => inSlot(runLane)));
			appendFileSync(report, `${JSON.stringify({ state: 'done' })}\n`);
			const tally = readReport(report);
			return { ...judge(tally, true), output: shownFailures(tally).join('\n') };
		},
	};
}

const mutantsLimitMs = 3 * 60 * 60_000;

/** Takes two slots, because Stryker runs two processes at once. */
export const mutantsStage: Stage = {
	name: 'mutants',
	needs: ['programs'],
	run: ({ children, inSlot, slots }) => {
		const work = async (): ReturnType<Stage['run']> => {
			const script = join(root, 'test/harness/mutants.ts');
			const { code, output } = await children.run(process.execPath, [script], { limitMs: mutantsLimitMs });
			const note = /\d+ of \d+ mutants killed/.exec(output)?.[0];
			const outcome = code === 0 ? {} : { problem: 'Stryker failed, or too few mutants are killed', output };
			return { ...outcome, ...(note === undefined ? {} : { note }) };
		};
		return slots > 1 ? inSlot(() => inSlot(work)) : inSlot(work);
	},
};

const enginesOfMail = '{mail,patch,review,series}';
/** In percent. */
const leastBranches = 100;

/** Branches of the engines of mail and patches, and of the journal of writes, that their own unit tests reach. */
export const branchesStage: Stage = {
	name: 'branches',
	needs: [],
	run: ({ children, inSlot }) =>
		inSlot(async () => {
			const places = ['--reports-dir', 'test-results/branches', '--temp-directory', 'test-results/branches/tmp'];
			const least = ['--check-coverage', '--branches', String(leastBranches), '--lines', '0'];
			const sources = [
				'--include',
				`packages/patchmail/src/${enginesOfMail}/**`,
				'--include',
				'src/store/shared/writeJournal.ts',
			];
			const counted = ['--reporter', 'text-summary', ...sources];
			const own = [
				`packages/patchmail/test/${enginesOfMail}/**/*.test.ts`,
				'test/unit/store/shared/writeJournal.test.ts',
			];
			const tests = ['mocha', '--exit', ...own];
			const { code, output } = await children.run('c8', [...places, ...least, ...counted, ...tests], {
				env: { FORGE_DESK_COUNTS: 'small' },
				limitMs: mutantsLimitMs,
			});
			const note = /Branches +: [\d.]+%/.exec(output)?.[0];
			const outcome = code === 0 ? {} : { problem: 'a test fails, or too few branches are reached', output };
			return { ...outcome, ...(note === undefined ? {} : { note }) };
		}),
};
