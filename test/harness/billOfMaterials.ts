import * as v from 'valibot';

const bill = v.looseObject({
	metadata: v.looseObject({ component: v.looseObject({ 'bom-ref': v.string() }) }),
	components: v.array(v.looseObject({ 'bom-ref': v.string() })),
	dependencies: v.array(v.object({ ref: v.string(), dependsOn: v.array(v.string()) })),
});

export interface BillSource {
	/** The CycloneDX bill of all packages, from `npm sbom`. */
	readonly printed: string;
	/** `name@version` of each package in the bundles. */
	readonly shipped: readonly string[];
	/** Seconds. */
	readonly epochS: number;
}

/**
 * The bill of the shipped packages. It leaves out the parts of npm's that differ between two clones: a random serial number,
 * the folder's name, the time and npm's version. It also leaves out packages that bundled ones name and never load: optional
 * peers and parts of command lines.
 */
export function billOfMaterials({ printed, shipped, epochS }: BillSource): string {
	const all = v.parse(bill, JSON.parse(printed));
	const { component } = all.metadata;
	const own = component['bom-ref'];
	const below = new Map(all.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
	const listed = new Set(shipped);
	const named = { ...component, type: 'application', name: own.replace(/@.*/, '') };
	const made = {
		...all,
		serialNumber: undefined,
		metadata: {
			...all.metadata,
			tools: undefined,
			timestamp: new Date(epochS * 1000).toISOString(),
			component: named,
		},
		components: all.components.filter((each) => listed.has(each['bom-ref'])),
		dependencies: [own, ...shipped].map((ref) => ({
			ref,
			dependsOn: (below.get(ref) ?? []).filter((each) => listed.has(each)),
		})),
	};
	return `${JSON.stringify(made, null, 2)}\n`;
}

/** `name@version` of every package that a bill lists. */
export function listedPackages(text: string): readonly string[] {
	return v.parse(bill, JSON.parse(text)).components.map((each) => each['bom-ref']);
}
