import type { CallOptions, RawAnswer, SampleForge, Service } from './sampleForge.ts';

/** A document with its variables; `token` defaults to alice's. */
export interface GraphqlQuestion {
	readonly variables?: Readonly<Record<string, unknown>>;
	readonly token?: string | null;
	readonly area?: Service;
}

/** Sends a document to a service of the sample forge, without the client. */
export async function askGraphql(
	forge: SampleForge,
	query: string,
	{ variables, token, area = 'todo' }: GraphqlQuestion = {},
): Promise<RawAnswer> {
	const options: CallOptions = { body: { query, variables }, ...(token === undefined ? {} : { token }) };
	return await forge.call(area, 'POST', '/query', options);
}
