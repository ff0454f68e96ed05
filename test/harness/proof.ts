import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { codeServerVersion } from './codeServer.ts';
import { root } from './places.ts';
import { seconds, type StageResult } from './stages.ts';

function row(cells: readonly string[]): string {
	return `| ${cells.join(' | ')} |`;
}

/** Writes down what a run with full counts showed. */
export function writeProof(results: readonly StageResult[], seed: number): void {
	const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim().replace('git version ', '');
	const manifest = v.parse(
		v.object({ version: v.string() }),
		JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	);
	const lines = [
		'# Proof',
		'',
		'Written by `npm run prove`: every test with its full counts. Not to be edited by hand.',
		'',
		row(['what', 'value']),
		row(['---', '---']),
		row(['date', new Date().toISOString()]),
		row(['seed', String(seed)]),
		row(['counts', 'full']),
		row(['Forge Desk', manifest.version]),
		row(['editor of the workbench tests', `code-server ${codeServerVersion}`]),
		row(['Node', process.versions.node]),
		row(['git', git]),
		row(['machine', `${process.platform} ${process.arch}, ${cpus().length} cores`]),
		'',
		row(['stage', 'passed', 'failed', 'time', 'result']),
		row(['---', '---:', '---:', '---:', '---']),
		...results.map(({ name, tally, ms, problem }) =>
			row([
				name,
				tally === undefined ? '' : String(tally.passed.length),
				tally === undefined ? '' : String(tally.failed.length),
				seconds(ms),
				problem === undefined ? 'good' : (problem.split('\n')[0] ?? ''),
			]),
		),
		'',
	];
	mkdirSync(join(root, 'docs'), { recursive: true });
	writeFileSync(join(root, 'docs/proof.md'), lines.join('\n'));
	console.log('Wrote docs/proof.md');
}
