/** The call for the risk of the last day. The page sends it before it loads the rest of the client. */
export const OVERVIEW_CALL = '/api/guardian/dashboard?window=24h';
