import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildPackage } from './buildPackage.ts';
import { chooseEditor } from './chooseEditor.ts';
import type { Children } from './children.ts';
import { ensureChromium, ensureGitSendEmail, ensureSigning } from './debian.ts';
import { runInEditor } from './editorRun.ts';
import { resultsFolder, root } from './places.ts';
import { readReport, type Tally } from './report.ts';
import { readyForge } from './sampleForgeProcess.ts';
import type { Outcome, Stage } from './stages.ts';

/** What the commands choose about their tests. */
export interface StageOptions {
	readonly children: Children;
	/** Reaches every test: see test/support/counts.ts. */
	readonly env: Readonly<Record<string, string>>;
	/** Only tests whose full title matches; empty for all. */
	readonly grep: string;
	/** The longest that a stage of tests may take. */
	readonly limitMs: number;
}

const toolLimitMs = 120_000;

/** A stage that is one tool: fine when it ends with 0. */
function toolStage(options: StageOptions, name: string, group: number, commands: readonly string[]): Stage {
	return {
		name,
		group,
		needs: [],
		async run() {
			for (const command of commands) {
				const [program = '', ...args] = command.split(' ');
				const { code, output } = await options.children.run(program, args, { limitMs: toolLimitMs });
				if (code !== 0) {
					return { problem: `\`${command}\` ended with ${code ?? 'no answer'}`, output };
				}
			}
			return {};
		},
	};
}

function freshReport(name: string): string {
	mkdirSync(resultsFolder, { recursive: true });
	const report = join(resultsFolder, `${name}.jsonl`);
	rmSync(report, { force: true });
	return report;
}

/** A stage of tests is fine when tests ran to their end, none failed, and its process agrees. */
function judge(tally: Tally, good: boolean): Outcome {
	const problem =
		tally.failed.length > 0
			? `${tally.failed.length} failed${tally.notRun.length === 0 ? '' : `, ${tally.notRun.length} not run`}`
			: tally.notRun.length > 0
				? `${tally.notRun.length} not run`
				: !tally.ended
					? 'it ended before its tests did'
					: tally.passed.length === 0
						? 'there was no test to run'
						: good
							? undefined
							: 'all tests passed, but the run did not end well';
	return problem === undefined ? { tally } : { tally, problem };
}

interface MochaStage {
	readonly name: string;
	readonly group: number;
	readonly needs?: readonly string[];
	readonly timeoutMs: number;
	readonly live?: boolean;
}

/** A stage that runs the tests of the folder of its name under Node. */
function mochaStage(options: StageOptions, { name, group, needs = [], timeoutMs, live = false }: MochaStage): Stage {
	return {
		name,
		group,
		needs,
		async run() {
			const report = freshReport(name);
			const script = join(root, 'test/harness/mochaProcess.ts');
			const reporter = live ? 'spec' : 'dot';
			const { code, output } = await options.children.run(
				process.execPath,
				[script, `test/${name}`, report, String(timeoutMs), reporter, options.grep],
				{ env: options.env, live, limitMs: options.limitMs },
			);
			return { ...judge(readReport(report), code === 0), output: live ? '' : output };
		},
	};
}

/** Does something while a sample forge of the other dialect runs, given its ready line. */
async function withDocumentForge<T>(children: Children, work: (line: string) => Promise<T>): Promise<T> {
	const cache = join(resultsFolder, 'sample-forge-cache');
	const program = join(root, 'dist/sampleForge.cjs');
	const child = children.start(process.execPath, [program, '--dialect', 'document', '--cache', cache]);
	const closed = once(child, 'close');
	try {
		return await work((await readyForge(child)).line);
	} finally {
		child.stdin?.end();
		await closed;
	}
}

function editorStage(options: StageOptions): Stage {
	return {
		name: 'editor',
		group: 4,
		needs: ['programs', 'build'],
		async run() {
			const report = freshReport('editor');
			const editor = await chooseEditor(process.env);
			console.log(`  the extension host is that of a ${editor.kind} editor, because ${editor.why}`);
			const env = { ...options.env, FORGE_DESK_TEST_REPORT: report, FORGE_DESK_TEST_GREP: options.grep };
			const run = (more: StageOptions['env'] = {}): Promise<boolean> =>
				runInEditor(editor, { env: { ...env, ...more }, limitMs: options.limitMs });
			// A host knows one sample forge for all its life: the first starts its own, the second is told of another.
			const isFirstGood = await run();
			const good =
				(await withDocumentForge(options.children, (line) => run({ FORGE_DESK_SAMPLE_FORGE: line }))) && isFirstGood;
			const tally = readReport(report);
			const shown = tally.failed.map(({ title, error }) => `${title}\n${error.replaceAll(/^/gm, '    ')}`);
			return { ...judge(tally, good), output: shown.join('\n') };
		},
	};
}

function buildStage(options: StageOptions): Stage {
	return {
		name: 'build',
		group: 2,
		needs: [],
		async run() {
			// The tests run against what is shipped, so it is the packaged build that they get.
			const packaged = await buildPackage(options.children, false);
			const { code, output } =
				packaged.code === 0
					? await options.children.run('node', ['esbuild.mjs', '--tests'], { limitMs: toolLimitMs })
					: packaged;
			return code === 0 ? {} : { problem: 'the build failed', output };
		},
	};
}

function programsStage(): Stage {
	return {
		name: 'programs',
		group: 0,
		needs: [],
		run: async () => {
			ensureGitSendEmail();
			ensureSigning();
			ensureChromium();
			return {};
		},
	};
}

/** What can be said without an editor. */
export function quickStages(options: StageOptions): readonly Stage[] {
	return [
		toolStage(options, 'types', 1, ['tsc', 'tsc -p src/webview']),
		mochaStage(options, { name: 'contract', group: 1, timeoutMs: 30_000 }),
		mochaStage(options, { name: 'unit', group: 1, timeoutMs: 10_000 }),
		toolStage(options, 'lint', 1, ['oxlint --deny-warnings src test']),
		toolStage(options, 'format', 1, ['oxfmt --check']),
		toolStage(options, 'knip', 1, ['knip']),
	].filter(hasTests);
}

/** All there is, the real editor included. */
export function allStages(options: StageOptions): readonly Stage[] {
	return [
		programsStage(),
		...quickStages(options),
		// The sample forge's own tests make real repositories and mails, which takes longer than everything quick together.
		mochaStage(options, { name: 'sampleForge', group: 1, needs: ['programs'], timeoutMs: 30_000 }),
		buildStage(options),
		mochaStage(options, { name: 'bundle', group: 3, needs: ['build'], timeoutMs: 30_000 }),
		mochaStage(options, { name: 'page', group: 3, needs: ['programs'], timeoutMs: 120_000 }),
		editorStage(options),
		mochaStage(options, { name: 'ui', group: 5, needs: ['programs', 'build'], timeoutMs: 120_000, live: true }),
	].filter(hasTests);
}

/** A stage of tests counts from the moment its folder exists, and then has to find a test there. */
function hasTests({ name }: Stage): boolean {
	return (
		!['contract', 'unit', 'sampleForge', 'bundle', 'page', 'editor', 'ui'].includes(name) ||
		existsSync(join(root, 'test', name))
	);
}
