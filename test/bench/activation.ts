import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { root } from '../harness/places.ts';
import { countFigure, ratioFigure } from './figures.ts';
import { comparisonOf } from './interleaved.ts';
import type { Figure, Size } from './measurement.ts';

const rounds = { full: { warmUps: 2, counted: 42 }, smallest: { warmUps: 0, counted: 1 } } as const;

const measured = v.object({
	ms: v.number(),
	modules: v.array(v.string()),
	connections: v.number(),
	registered: v.array(v.string()),
});
type Activation = v.InferOutput<typeof measured>;

const probe = join(import.meta.dirname, 'activationProbe.mjs');
const manifestFile = join(root, 'package.json');

function sample(bundle: string): Activation {
	return v.parse(
		measured,
		JSON.parse(execFileSync(process.execPath, [probe, bundle, manifestFile], { encoding: 'utf8' })),
	);
}

/** Loading and activating the packaged entry against an extension that does nothing, a fresh process per sample. */
export async function activation(size: Size): Promise<readonly Figure[]> {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	const empty = join(folder, 'empty.cjs');
	writeFileSync(empty, "'use strict';\nexports.activate = () => undefined;\n");
	const samples = { ours: new Array<Activation>(), baseline: new Array<Activation>() };
	try {
		for (let round = -rounds[size].warmUps; round < rounds[size].counted; round++) {
			const baseline = sample(empty);
			const ours = sample(join(root, 'dist/extension.cjs'));
			if (round >= 0) {
				samples.baseline.push(baseline);
				samples.ours.push(ours);
			}
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
	samples.ours.forEach(proveActivated);
	const network = new Set(
		samples.ours
			.flatMap(({ modules }) => modules)
			.filter((name) => /undici|^NativeModule (?:net|tls|http|https|http2|dns)$|net\.cjs/.test(name)),
	);
	const [oursMs, baselineMs] = [samples.ours, samples.baseline].map((all) => all.map(({ ms }) => ms));
	return [
		ratioFigure(
			'Activation to an empty extension, bare Node process',
			1.5,
			comparisonOf(oursMs ?? [], baselineMs ?? []),
		),
		countFigure(
			'Requests at activation',
			0,
			Math.max(...samples.ours.map(({ connections }) => connections)),
			'connections opened by the process while the entry was loaded and activated',
		),
		countFigure(
			'Network modules loaded at activation',
			0,
			network.size,
			[...network].join(', ') || 'none of undici, net, tls, http, https, http2, dns, net.cjs',
		),
	];
}

const manifest = v.object({
	contributes: v.object({
		commands: v.array(v.object({ command: v.string() })),
		views: v.record(v.string(), v.array(v.object({ id: v.string() }))),
		languageModelTools: v.array(v.object({ name: v.string() })),
	}),
});

/** The stand-in for the editor takes everything that is registered, so what has to be there is looked for. */
function proveActivated({ registered }: Activation): void {
	const { contributes } = v.parse(manifest, JSON.parse(readFileSync(manifestFile, 'utf8')));
	const wanted = [
		...contributes.commands.map(({ command }) => `commands.registerCommand ${command}`),
		...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => `window.createTreeView ${id}`)),
		...contributes.languageModelTools.map(({ name }) => `lm.registerTool ${name}`),
	];
	const missing = wanted.filter((each) => !registered.includes(each));
	if (missing.length > 0) {
		throw new Error(`The extension did not activate: ${missing.length} are missing, such as ${missing[0]}`);
	}
}
