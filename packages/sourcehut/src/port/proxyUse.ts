/** Where the proxy of a URL comes from. `system` includes its PAC file. */
export type ProxySource = 'setting' | 'environment' | 'system';

/** The proxy of one URL. */
export type ProxyUse =
	| { readonly kind: 'none' }
	/** `address`: URL of the proxy, possibly with a user name and password. */
	| { readonly kind: 'proxy'; readonly address: string; readonly source: ProxySource }
	/** Set, but not usable, or nobody could find it out. No request leaves then. */
	| { readonly kind: 'unusable'; readonly source: ProxySource };
