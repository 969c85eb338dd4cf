import { ClaimDoor, useDossierContext } from "@/shared/claims/ClaimDoor";
import { number } from "@/shared/format";
import { StateChip } from "@/shared/ui";
import type { Marketplace } from "./dossier";

/** What a sale at the target leaves on each marketplace, the best first. */
export function Marketplaces({ sales }: { sales: readonly Marketplace[] }) {
  const { claims } = useDossierContext();
  const currency = sales[0]?.currency;
  if (!currency) return null;
  const byProceeds = sales.toSorted(byNet);
  const best = byProceeds.find((sale) => sale.recommended);
  return (
    <section>
      <h3 className="mb-2 text-read font-semibold">Net by marketplace</h3>
      <table className="w-full text-table">
        <thead className="text-left text-muted">
          <tr className="border-b border-line">
            <th className="py-1.5 pr-3 font-medium">Sold at the target</th>
            <th className="py-1.5 pl-3 text-right font-medium">Fees</th>
            <th className="py-1.5 pl-3 text-right font-medium">
              Net, {currency}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {byProceeds.map((sale) => (
            <tr key={sale.marketplace} title={sale.reason}>
              <td className="py-1.5 pr-3">
                <span className="mr-2">{sale.name}</span>
                {sale === best ? (
                  <StateChip tone="positive">highest net</StateChip>
                ) : (
                  sale.recommended && (
                    <span className="text-small text-muted">nearly as much</span>
                  )
                )}
              </td>
              <td className="figures py-1.5 pl-3 text-right text-muted">
                {number(sale.fee, 2)}
              </td>
              <td className="figures py-1.5 pl-3 text-right font-medium">
                <ClaimDoor
                  claim={claims.get(`marketplaces.${sale.marketplace}.net`)}
                >
                  {number(sale.net, 2)}
                </ClaimDoor>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const byNet = (a: Marketplace, b: Marketplace) => b.net - a.net;
